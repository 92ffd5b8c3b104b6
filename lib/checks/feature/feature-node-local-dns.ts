import { names, objectId, releaseAtLeast, resources } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { namesOf } from '../reading/subject-names.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';

const kubeDnsId = objectId({
  resource: resources.services,
  namespace: names.systemNamespace,
  name: names.kubeDnsService,
});

/** Gate V16. */
const annotationReadFrom = 'v3.28.0';

export const featureNodeLocalDns = defineCheck({
  id: 'feature.node-local-dns',
  group: 'Features',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['nodeLocalDns', 'installation'],
  title: 'eBPF leaves cluster DNS to the cache on each node, where there is one',
  consequence:
    "eBPF resolves the DNS Service's address before the node's cache sees the query: the cache gets none, or CoreDNS and the cache ask each other in a loop and names stop resolving.",
  remedy: {
    steps: [
      `Add the fix to the plan: before the switch it marks Service kube-dns with ${names.natExcludeAnnotation}.`,
      'Check again.',
    ],
    autofix: 'service.nat-exclude',
  },
  source: 'pain E2',
  run: (facts, choices) => {
    const { nodeLocalDns } = facts.features;
    if (nodeLocalDns.length === 0) {
      return { kind: 'pass', because: 'No NodeLocal DNSCache runs here.', restsOn: ['nodeLocalDns'] };
    }
    const service = facts.resources.objects[kubeDnsId];
    const value = service?.metadata.annotations?.[names.natExcludeAnnotation];
    const evidence = [
      { object: kubeDnsId, path: `metadata.annotations['${names.natExcludeAnnotation}']`, value: value ?? null },
    ];
    const release = targetRelease(facts, choices);
    const reads = release === null ? 'undecided' : releaseAtLeast(release, annotationReadFrom);
    if (value === 'true' && reads !== 'no') {
      return reads === 'yes'
        ? { kind: 'pass', because: 'Service kube-system/kube-dns carries the annotation for it.', evidence }
        : {
            kind: 'unknown',
            because: `Service kube-system/kube-dns carries the annotation, which is read from ${annotationReadFrom} on, and the release is not known.`,
            evidence,
          };
    }
    const cache = namesOf(nodeLocalDns);
    const because =
      reads === 'no'
        ? `NodeLocal DNSCache runs (${cache}), and ${releaseName(release)} does not read the annotation for it; that came with ${annotationReadFrom}.`
        : service === null
          ? `NodeLocal DNSCache runs (${cache}), and there is no Service kube-system/kube-dns that could be marked for it.`
          : `NodeLocal DNSCache runs (${cache}), and Service kube-system/kube-dns does not carry the annotation for it.`;
    return {
      kind: 'fail',
      because,
      subjects: nodeLocalDns,
      remedy: remedyFor(reads === 'no', service === null),
      evidence,
    };
  },
});

/** A plan marks kube-dns; other Services of DNS, and older releases, need a person. */
function remedyFor(isOlder: boolean, isElsewhere: boolean): Remedy {
  const { autofix: _none, ...rest } = featureNodeLocalDns.remedy;
  if (isOlder) {
    const steps = [
      `Upgrade Calico to ${annotationReadFrom} or later first, or take the DNS cache off the nodes.`,
      'Check again.',
    ];
    return { ...rest, steps };
  }
  if (!isElsewhere) return featureNodeLocalDns.remedy;
  return {
    ...rest,
    steps: [
      `Mark the Service that answers for cluster DNS with the annotation ${names.natExcludeAnnotation}: "true".`,
      'It is not called kube-dns here, so it cannot be seen whether it has it: take the DNS cache off the nodes where you are in doubt.',
    ],
  };
}
