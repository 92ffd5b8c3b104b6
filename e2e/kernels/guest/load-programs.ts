/** Has the kernel verify every program as the agent has it, and says what became of it. */
import { loadDataPlane } from '#lib/node/bpf/index.ts';
import { sayLoaded } from './say-loaded.ts';

const plane = loadDataPlane({ pins: null });
sayLoaded(plane);
plane.close();
