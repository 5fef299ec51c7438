// fence: limits -- a hundred thousand rejections make a hundred warnings
for (let i = 0; i < 100000; i++) Promise.reject(new Error("n" + i));
return "done";
// => "done"
// warnings: 100
