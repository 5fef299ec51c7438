return await tools.sleep({});
