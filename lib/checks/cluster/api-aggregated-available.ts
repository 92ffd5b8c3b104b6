import { defineCheck } from '../check.ts';
import { phrase } from '../wording/sentences.ts';

const name = 'v3.projectcalico.org';
const object = `APIService/${name}`;

export const apiAggregatedAvailable = defineCheck({
  id: 'api.aggregated-available',
  group: 'Platform and permissions',
  severity: 'warning',
  goals: ['enable', 'upgrade'],
  reads: ['apis'],
  title: "Calico's API answers through the API server",
  gap: "Calico's API does not answer through the API server",
  topic: "Calico's API",
  ifIgnored: 'Namespaces stay in Terminating, Helm fails',
  consequence:
    'While it is registered but down, namespaces stay in Terminating, Helm and discovery fail, and the operator cannot change or delete an IP pool.',
  remedy: {
    steps: ['Fix the pods of calico-apiserver, or the network path from the API server to them.', 'Check again.'],
    details: [
      'On managed Kubernetes the API server may not reach the pod network.',
      'If nobody uses projectcalico.org/v3, delete the APIServer resource. This removes the registration.',
    ],
    command: `kubectl get apiservice ${name} -o yaml\nkubectl get pods -A -l k8s-app=calico-apiserver -o wide`,
    fixIn: 'compatibility',
  },
  source: 'pain H17',
  run: ({ resources: { apis, v3Unavailable } }, { goal }) => {
    if (apis.v3Available === null) return { kind: 'skipped', because: `${name} is not registered here.` };
    const evidence = [{ object, path: 'status.conditions[Available]', value: v3Unavailable ?? apis.v3Available }];
    if (apis.v3Available) return { kind: 'pass', because: `${name} is available.`, evidence };
    const why = v3Unavailable === null ? 'it does not say why' : phrase(v3Unavailable);
    return {
      kind: 'fail',
      severity: goal === 'upgrade' ? 'blocking' : 'warning',
      because: `${name} is registered and not available: ${why}.`,
      subjects: [{ kind: 'APIService', namespace: null, name, detail: `not available: ${why}` }],
      evidence,
    };
  },
});
