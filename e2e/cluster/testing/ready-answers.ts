import { defaultEndpoint } from '#e2e/controlplane/index.ts';

/** Flags that make the plan for a test cluster ready. The endpoint's name is reserved for tests, so the console's probes cannot tell. */
export const readyAnswers = (endpoint = defaultEndpoint): string[] => [
  '--endpoint',
  endpoint,
  '--fix',
  'operator.dns-deadlock',
  ...['endpoint.reachable', 'endpoint.certificate', 'not-measured', 'proxy.comes-back'].flatMap((check) => [
    '--acknowledge',
    `${check}=a test cluster`,
  ]),
];
