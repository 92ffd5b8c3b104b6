import { defineCheck } from '../check.ts';
import { felixEvidence, felixField } from '../reading/felix.ts';
import { kindsAndNamesOf } from '../reading/subject-names.ts';
import { listed } from '../wording/sentences.ts';

export const featureServiceMesh = defineCheck({
  id: 'feature.service-mesh',
  group: 'Features',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['meshes', 'felix'],
  title: 'The service mesh sees the addresses of Services',
  gap: 'The service mesh would not see addresses of Services',
  topic: 'Service mesh',
  ifIgnored: 'Requests bypass the rules of the mesh',
  consequence:
    'eBPF picks the pod when a connection opens, before the proxy of the mesh sees it. Requests bypass the rules of the mesh, are refused, or all go to one pod.',
  remedy: {
    steps: [
      'Add the fix to the plan: it sets bpfConnectTimeLoadBalancing to Disabled before the switch.',
      'Check again.',
    ],
    autofix: 'felix.options',
    fixIn: 'compatibility',
  },
  source: 'pain E3',
  run: (facts) => {
    const { meshes, definedMeshes } = facts.features;
    if (meshes.length === 0 && definedMeshes.length === 0)
      return { kind: 'pass', because: 'No service mesh runs here.', restsOn: ['meshes'] };
    const mode = felixField(facts, 'bpfConnectTimeLoadBalancing');
    const older = felixField(facts, 'bpfConnectTimeLoadBalancingEnabled');
    const evidence = [
      felixEvidence(facts, 'bpfConnectTimeLoadBalancing'),
      felixEvidence(facts, 'bpfConnectTimeLoadBalancingEnabled'),
    ];
    // The older field counts only if the newer one is not set (calico.md §5).
    if (mode === 'Disabled' || ((mode === undefined || mode === null) && older === false)) {
      return {
        kind: 'pass',
        because: 'Connect-time load balancing is off, as the mesh needs it.',
        evidence,
        restsOn: ['felix'],
      };
    }
    if (meshes.length === 0) {
      return {
        kind: 'unknown',
        because: `The definitions of ${listed(definedMeshes)} are here, and no pod of a mesh was seen: not verified that none runs.`,
        evidence,
        remedy: {
          ...featureServiceMesh.remedy,
          steps: [
            ...featureServiceMesh.remedy.steps.slice(0, 1),
            'Where the mesh was removed and its definitions were left behind, accept this finding.',
          ],
        },
      };
    }
    return {
      kind: 'fail',
      because: `A service mesh runs here, and eBPF would choose pods in its place (bpfConnectTimeLoadBalancing is ${mode ? String(mode) : 'TCP, its default'}): ${kindsAndNamesOf(meshes)}.`,
      subjects: meshes,
      evidence,
    };
  },
});
