// fence: limits -- thousands of calls that nothing awaits are stopped, with a bounded number of warnings
for (let i = 0; i < 5000; i++) tools.hang(i);
return 1;
// => 1
// warnings: 100
