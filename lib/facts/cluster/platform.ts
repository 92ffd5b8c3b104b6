import { dataOf, type KubeObject, type ReadNode, serviceOf } from '#lib/kube/index.ts';
import { keyMatches, type PlatformSign, platformSigns, resources, type Sign } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { kubeadmConfigOf } from '../proxy/kubeadm.ts';
import { foundOr, uncovered } from '../reading/coverage.ts';
import { evidence } from '../reading/evidence.ts';
import { folded, objectQuery, type Query, servedApis, serverVersion } from '../reading/query.ts';
import type { Reading } from '../reading/reading.ts';
import { listedNode, nodeListing, openshiftInfrastructure, tracked } from '../reading/sources.ts';
import type { Evidence, Facts } from '../schema.ts';

/** The first evidence of each sign. */
type Seen = ReadonlyMap<PlatformSign, Evidence>;

const nodeSigns = folded(nodeListing, () => {
  const seen = new Map<PlatformSign, Evidence>();
  const isNew = newsOfNodes();
  return {
    each: (object) => {
      const node = listedNode(object);
      const rows = isNew(node) ? platformSigns : ownSigns;
      for (const row of rows) {
        if (seen.has(row)) continue;
        const found = onNode(row.sign, node);
        if (found) seen.set(row, evidence(object, found.path, found.value));
      }
    },
    result: (): Seen => seen,
  };
});

/** Signs in the providerID, which every node has in another form. */
const ownSigns = platformSigns.filter(({ sign }) => sign.see === 'provider-id');

/** Whether a node has a label, build or system that no node before had. Thousands are alike, and signs need only look at the first. */
function newsOfNodes(): (node: ReadNode) => boolean {
  const known = { labels: new Set<string>(), annotations: new Set<string>(), builds: new Set<string>() };
  return ({ metadata: { labels, annotations }, status: { nodeInfo } }) => {
    const before = known.labels.size + known.annotations.size + known.builds.size;
    for (const key in labels) known.labels.add(key);
    for (const key in annotations) known.annotations.add(key);
    known.builds.add(nodeInfo.kubeletVersion).add(nodeInfo.osImage);
    return known.labels.size + known.annotations.size + known.builds.size > before;
  };
}

/** Whether any node reports a kubelet version, by which TKG, RKE2 and K3s are recognised. */
const kubeletVersions = folded(nodeListing, () => {
  let hasVersion = false;
  return {
    each: (node) => {
      hasVersion ||= listedNode(node).status.nodeInfo.kubeletVersion !== '';
    },
    result: () => hasVersion,
  };
});

const looked = platformSigns.flatMap((row) => {
  const query = queryOf(row.sign);
  return query === null ? [] : [{ row, query }];
});

const objectSigns: Query<Seen> = {
  rules: looked.flatMap(({ query }) => query.rules),
  enlist: (session) => {
    const fetches = looked.map(({ row, query }) => ({ row, fetch: query.enlist(session) }));
    return async (): Promise<Reading<Seen>> => {
      const read = await Promise.all(fetches.map(async ({ row, fetch }) => ({ row, reading: await fetch() })));
      const found = read.flatMap(({ row, reading }) => {
        const proof = reading.value && proofOf(row.sign, reading.value);
        return proof ? [[row, proof] as const] : [];
      });
      return { value: new Map(found), missing: read.flatMap(({ reading }) => reading.missing) };
    };
  },
};

export const platform = defineCollector({
  id: 'platform',
  provides: ['platform'],
  reads: {
    nodeSigns,
    kubeletVersions,
    objectSigns,
    servedApis,
    serverVersion,
    openshiftInfrastructure,
    kubeadmConfig: tracked.kubeadmConfig,
  },
  collect: ({ nodeSigns: onNodes, objectSigns: objects, servedApis: apis, serverVersion: version, ...more }) => {
    // A dump has no discovery; an object of the group shows that it is served.
    const { value: infrastructure } = more.openshiftInfrastructure;
    const groups = [...apis.value.groups, ...(infrastructure === null ? [] : ['config.openshift.io'])];
    const seen = new Map([...onNodes.value, ...objects.value, ...apiSigns(groups), ...versionSigns(version.value)]);
    const found = recognise(seen);
    const built = kubeadmConfigOf(more.kubeadmConfig.value)?.kubernetesVersion ?? null;
    const isVersionKnown = version.value !== null || built !== null || more.kubeletVersions.value;
    return {
      platform: found,
      coverage: {
        platform:
          isVersionKnown || isStrongerThanVersions(seen)
            ? // `generic` is certain only if every object that could show another platform was read.
              foundOr(found.kind !== 'generic', onNodes, objects, apis)
            : uncovered('Node', 'nothing says which build of Kubernetes it is, which could tell another platform'),
      },
    };
  },
});

/** The platform of the first sign that was seen, with all evidence of that platform. */
function recognise(seen: Seen): Pick<Facts['platform'], 'kind' | 'evidence'> {
  const decisive = platformSigns.find((row) => seen.has(row));
  if (!decisive) return { kind: 'generic', evidence: [] };
  const signs = platformSigns.filter(({ platform: kind }) => kind === decisive.platform);
  return { kind: decisive.platform, evidence: signs.flatMap((row) => seen.get(row) ?? []) };
}

/** Whether a sign was seen that comes before all signs by versions. */
function isStrongerThanVersions(seen: Seen): boolean {
  const first = platformSigns.findIndex(({ sign }) => sign.see === 'version');
  const decisive = platformSigns.findIndex((row) => seen.has(row));
  return decisive !== -1 && decisive < first;
}

function onNode(sign: Sign, node: ReadNode): { path: string; value: string } | null {
  const { labels, annotations } = node.metadata;
  const { kubeletVersion, osImage } = node.status.nodeInfo;
  switch (sign.see) {
    case 'node-label': {
      const key = Object.keys(labels).find((one) => keyMatches(sign.key, one));
      return key === undefined ? null : { path: `metadata.labels['${key}']`, value: labels[key] ?? '' };
    }
    case 'node-annotation': {
      const key = Object.keys(annotations).find((one) => keyMatches(sign.key, one));
      return key === undefined ? null : { path: `metadata.annotations['${key}']`, value: annotations[key] ?? '' };
    }
    case 'provider-id':
      return node.spec.providerID?.startsWith(sign.prefix)
        ? { path: 'spec.providerID', value: node.spec.providerID }
        : null;
    case 'version':
      return sign.pattern.test(kubeletVersion)
        ? { path: 'status.nodeInfo.kubeletVersion', value: kubeletVersion }
        : null;
    case 'os-image':
      return sign.pattern.test(osImage) ? { path: 'status.nodeInfo.osImage', value: osImage } : null;
    default:
      return null;
  }
}

function apiSigns(groups: readonly string[]): [PlatformSign, Evidence][] {
  return platformSigns.flatMap((row): [PlatformSign, Evidence][] => {
    const { sign } = row;
    return sign.see === 'api-group' && groups.includes(sign.group)
      ? [[row, { object: 'APIGroupList', path: 'groups', value: sign.group }]]
      : [];
  });
}

function versionSigns(version: string | null): [PlatformSign, Evidence][] {
  if (version === null) return [];
  return platformSigns.flatMap((row): [PlatformSign, Evidence][] =>
    row.sign.see === 'version' && row.sign.pattern.test(version)
      ? [[row, { object: 'APIServer', path: 'version.gitVersion', value: version }]]
      : [],
  );
}

/** Longest text that is searched; a kubeadm configuration has a few kilobytes. */
const longestConfig = 65_536;

function queryOf(sign: Sign): Query<KubeObject | null> | null {
  if (sign.see === 'config-map' || sign.see === 'config-map-text') {
    return objectQuery({ resource: resources.configMaps, namespace: sign.namespace, name: sign.name });
  }
  if (sign.see === 'service-label') {
    return objectQuery({ resource: resources.services, namespace: sign.namespace, name: sign.name });
  }
  return null;
}

function proofOf(sign: Sign, object: KubeObject): Evidence | null {
  if (sign.see === 'config-map') return evidence(object, 'metadata.name', sign.name);
  if (sign.see === 'config-map-text') {
    const found = sign.pattern.exec(dataOf(object)[sign.key]?.slice(0, longestConfig) ?? '');
    return found && evidence(object, `data['${sign.key}']`, found[0].trim());
  }
  if (sign.see !== 'service-label') return null;
  const value = serviceOf(object).metadata.labels[sign.label];
  return value === undefined ? null : evidence(object, `metadata.labels['${sign.label}']`, value);
}
