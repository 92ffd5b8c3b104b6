import { expect, test } from 'vitest';
import { mergePatch } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { kindNamed } from './calico-kinds.ts';
import { shownObject } from './shown-object.ts';
import { storedPatch } from './stored-patch.ts';

const noted = (metadata: unknown) => ({ 'projectcalico.org/metadata': JSON.stringify(metadata) });
const stored = (kind: string, metadata: Record<string, unknown>, spec: unknown = {}): KubeObject =>
  ({ apiVersion: 'crd.projectcalico.org/v1', kind, metadata, spec }) as KubeObject;

/** The stored patch for a patch of the shown object. */
function sent(served: KubeObject, patch: unknown) {
  const kind = kindNamed(served.kind);
  if (kind === null) throw new Error(served.kind);
  const shown = shownObject(served, kind, 'v3.31.4');
  return { answer: storedPatch({ shown, served }, mergePatch(shown, patch) as KubeObject, kind), kind, shown };
}

const pool = stored('IPPool', { name: 'p' }, { cidr: '10.0.0.0/16', vxlanMode: 'Always' });
const web = stored('NetworkPolicy', { name: 'default.web', namespace: 'shop' }, { order: 1, types: ['Ingress'] });

test.each<[what: string, served: KubeObject, patch: unknown, body: unknown]>([
  ['a field', pool, { spec: { natOutgoing: true } }, { spec: { natOutgoing: true } }],
  ['nothing of what is only shown', pool, { spec: { ipipMode: 'Never', blockSize: 26 } }, {}],
  ['a field that goes', pool, { spec: { vxlanMode: null } }, { spec: { vxlanMode: null } }],
  ['a label, where nothing is noted', pool, { metadata: { labels: { a: 'b' } } }, { metadata: { labels: { a: 'b' } } }],
  [
    'a label, where metadata is noted: in both places',
    stored('Tier', { name: 't', annotations: noted({ labels: { a: 'b' }, creationTimestamp: null }) }),
    { metadata: { labels: { c: 'd' } } },
    {
      metadata: {
        labels: { c: 'd' },
        annotations: noted({ labels: { a: 'b', c: 'd' }, creationTimestamp: null }),
      },
    },
  ],
  [
    'a label that goes, out of both places',
    stored('Tier', { name: 't', labels: { a: 'b' }, annotations: noted({ labels: { a: 'b' } }) }),
    { metadata: { labels: { a: null } } },
    { metadata: { labels: { a: null }, annotations: noted({ labels: {} }) } },
  ],
  [
    'an annotation, beside what Calico notes',
    stored('Tier', { name: 't', annotations: noted({ generation: 1 }) }),
    { metadata: { annotations: { x: 'y' } } },
    { metadata: { annotations: { x: 'y', ...noted({ generation: 1, annotations: { x: 'y' } }) } } },
  ],
  [
    'a policy’s types, which Calico’s API completes',
    web,
    { spec: { types: null, egress: [{ action: 'Deny' }] } },
    { spec: { types: ['Egress'], egress: [{ action: 'Deny' }] } },
  ],
  ['no types of a policy that nobody changes', stored('GlobalNetworkPolicy', { name: 'default.g' }), {}, {}],
])('sends %s', (_what, served, patch, body) => {
  const { answer, kind, shown } = sent(served, patch);
  expect(answer).toEqual({ body });
  // And it is shown as it was wanted, but for the types.
  if ('body' in answer && !('egress' in Object((patch as { spec?: object }).spec))) {
    const after = shownObject(mergePatch(served, answer.body) as KubeObject, kind, 'v3.31.4');
    const wanted = mergePatch(shown, patch) as KubeObject;
    expect(after.metadata.labels ?? {}).toEqual(wanted.metadata.labels ?? {});
    expect(after.metadata.annotations ?? {}).toEqual(wanted.metadata.annotations ?? {});
  }
});

test.each<[what: string, served: KubeObject, patch: unknown, refused: RegExp]>([
  ['a pool’s range', pool, { spec: { cidr: '10.1.0.0/16' } }, /^The IPPool "p" is invalid: spec\.cidr: .*immutable$/],
  ['its block size, also where it is only shown', pool, { spec: { blockSize: 24 } }, /spec\.blockSize: .*immutable$/],
  ['a policy’s tier', web, { spec: { tier: 'security' } }, /^The NetworkPolicy "web" is invalid: spec\.tier/],
  ['owners', web, { metadata: { ownerReferences: [] } }, /metadata\.ownerReferences: Forbidden/],
  ['finalizers', web, { metadata: { finalizers: ['x'] } }, /metadata\.finalizers: Forbidden/],
  ['Calico’s notes', web, { metadata: { annotations: noted({}) } }, /metadata\.annotations: Forbidden/],
  ['a label that is no text', web, { metadata: { labels: { a: 1 } } }, /metadata\.labels: .*must be a text/],
  ['a selector that is none', web, { spec: { selector: 'has(' } }, /"web" is invalid: spec\.selector: .*"has\("/],
  [
    'one of a rule',
    web,
    { spec: { ingress: [{ action: 'Allow', source: { namespaceSelector: 'a = "b"' } }] } },
    /spec\.ingress\[0\]\.source\.namespaceSelector: Invalid value/,
  ],
  ['one of a pool', pool, { spec: { nodeSelector: 'node' } }, /spec\.nodeSelector: Invalid value/],
  [
    'what calico-node writes',
    stored('ClusterInformation', { name: 'default' }),
    { spec: { calicoVersion: 'v9' } },
    /calico-node alone writes it/,
  ],
])('refuses %s', (_what, served, patch, refused) => {
  const { answer } = sent(served, patch);
  expect('refused' in answer ? answer.refused : answer).toMatch(refused);
});
