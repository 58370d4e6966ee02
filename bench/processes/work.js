// One call in node: a typed array and its image. Prints the resident peak of the process in bytes (VmHWM).
'use strict';
const count = Number(process.argv[2]);
const given = new Float64Array(count).fill(1);
const image = given.map((value) => 2 * value + 1);
const status = require('fs').readFileSync('/proc/self/status', 'utf8');
console.log(1024 * Number(/VmHWM:\s+(\d+)/.exec(status)[1]), image.length);
