const price = (1234.5).toLocaleString("en-US", { style: "currency", currency: "USD" });
return price + new Date(1720117805007).toLocaleString("en-US", { timeZone: "Europe/Berlin" });
