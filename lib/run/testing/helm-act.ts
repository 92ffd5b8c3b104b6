/** For tests with the helm that administrators have: the act alone, without a plan. */
export { type HelmAct, runHelm } from '../acts/run-helm.ts';
