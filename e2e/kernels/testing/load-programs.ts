/** Has the running kernel verify every program as the agent has it: a line a program that it took, with how many instructions its verifier went through. */
import { loadDataPlane } from '#lib/node/bpf/index.ts';

const { verified, close } = loadDataPlane({ pins: null });
for (const [name, count] of Object.entries(verified)) console.log(`${name} ${count}`);
close();
