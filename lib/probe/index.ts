export { judge, type NodeReport, type ProbedNode, type Question } from './judge.ts';
export { parseLines } from './line.ts';
export { type ProbeSettings, probeEnvironment, probeNames, probeObjects, probeScript } from './objects.ts';
export { type Probed, runProbe } from './run-probe.ts';
