/** What `parsePlan` asks of a plan whose shape it has read: for tests that change one thing of a plan thousands of times. */
export { misfitInPlan } from '../pins/pinned.ts';
