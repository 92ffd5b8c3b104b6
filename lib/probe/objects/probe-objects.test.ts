import { execFileSync } from 'node:child_process';
import type { V1DaemonSet } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { objectId, watchRefs } from '#lib/spec/index.ts';
import { resourceOf } from '../own-namespace.ts';
import { podScript, probeScript, withoutComments } from '../scripts/scripts.ts';
import { watchObjects } from '../watch/watch-objects.ts';
import { probeEnvironment, scriptOf } from './pod-script.ts';
import { probeObjects } from './probe-objects.ts';
import { probeRules } from './rights.ts';
import type { ProbeSettings } from './settings.ts';

/**
 * Expands as the kubelet does with command and env (kubernetes third_party/forked/golang/expansion): `$$` becomes `$`, `$(NAME)` the value if there
 * is one.
 */
function expanded(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (all, name: string | undefined) =>
    name === undefined ? '$' : (values[name] ?? all),
  );
}

test.each<string>(['api.example.test', 'odd$$host', '$(RUN).example.test'])(
  'Kubernetes runs the script as it stands, with an endpoint %s',
  (host) => {
    const settings: ProbeSettings = {
      ...{ run: 300, image: 'x', endpoint: { host, port: '6443' }, addresses: ['10.0.0.1'], vxlanPort: 4789 },
      ...{ cgroupFolder: '/run/calico/cgroup', nodeSelector: {}, podNetwork: 'there' },
    };
    const daemonSets = probeObjects(settings).filter(({ kind }) => kind === 'DaemonSet') as unknown as V1DaemonSet[];
    expect(daemonSets).toHaveLength(2);
    for (const [index, { spec }] of daemonSets.entries()) {
      const [container] = spec?.template.spec?.containers ?? [];
      const values: Record<string, string> = {};
      for (const { name, value = '' } of container?.env ?? []) values[name] = expanded(value, values);
      const [way, script] = index === 0 ? (['host', probeScript] as const) : (['pod', podScript] as const);
      expect(values).toEqual(probeEnvironment(way, settings));
      expect(container?.command?.map((text) => expanded(text, values))).toEqual(['/bin/bash', '-c', script]);
    }
  },
);

test('its pods run on every node, the one of the host privileged, the others without any right, and none has a token', () => {
  const settings: ProbeSettings = {
    ...{ run: 300, image: 'x', endpoint: null, addresses: ['10.0.0.1', null], vxlanPort: 4789, nodeSelector: {} },
    ...{ cgroupFolder: '/run/calico/cgroup', podNetwork: 'there', images: ['y'] },
  };
  const [namespace, account, ...daemonSets] = probeObjects(settings);
  expect(namespace).toMatchObject({
    ...{ kind: 'Namespace', metadata: { name: 'signalbox-probe' } },
    metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
  });
  expect(account).toMatchObject({ kind: 'ServiceAccount', automountServiceAccountToken: false });
  const specs = (daemonSets as unknown as V1DaemonSet[]).map(({ spec }) => spec?.template.spec);
  expect(specs).toHaveLength(3);
  for (const spec of specs) {
    expect(spec).toMatchObject({
      ...{ serviceAccountName: 'signalbox-probe', automountServiceAccountToken: false },
      ...{ tolerations: [{ operator: 'Exists' }], nodeSelector: { 'kubernetes.io/os': 'linux' } },
    });
    expect(spec).not.toHaveProperty('volumes');
  }
  const [host, ...others] = specs;
  expect(host).toMatchObject({ hostNetwork: true, hostPID: true, dnsPolicy: 'Default' });
  expect(host?.containers).toMatchObject([{ securityContext: { privileged: true } }]);
  for (const spec of others) {
    expect(spec).not.toHaveProperty('hostPID');
    for (const { securityContext } of spec?.containers ?? [])
      expect(securityContext).toEqual({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
  }
  expect(others[0]).not.toHaveProperty('hostNetwork');
});

test('to make and read it takes nothing but these rights', () => {
  const own = 'signalbox-probe';
  const words = probeRules({ pullSecrets: [{ namespace: 'calico-system', name: 'mirror' }] }).map(
    ({ verb, resource, subresource, namespace, name }) =>
      [verb, resource + (subresource === undefined ? '' : `/${subresource}`), namespace, name]
        .filter(Boolean)
        .join(' '),
  );
  expect(words).toEqual([
    'create namespaces',
    `get namespaces ${own}`,
    `delete namespaces ${own}`,
    `create serviceaccounts ${own}`,
    `create daemonsets ${own}`,
    `list pods ${own}`,
    `get pods/log ${own}`,
    `patch namespaces ${own}`,
    'get secrets calico-system mirror',
    `create secrets ${own}`,
  ]);
});

test('without comments a script is the same program', () => {
  // bash prints a function without comments and in its own layout.
  const asRead = (script: string) => {
    const input = `read_as() {\n${script}\n}\ndeclare -f read_as\n`;
    // Except for commands of several lines in `$()`.
    return execFileSync('bash', { input, encoding: 'utf8' }).replaceAll(/^\s+/gm, '');
  };
  for (const script of [probeScript, podScript]) {
    expect(asRead(withoutComments(script))).toEqual(asRead(script));
    expect(withoutComments(script)).not.toMatch(/^\s*#/m);
  }
});

test('a pod is told of the bridges of its group, each from its own end, with the addresses that the other end has', () => {
  const settings: ProbeSettings = {
    ...{ run: 300, image: 'x', endpoint: null, vxlanPort: 4789, nodeSelector: {}, podNetwork: 'there' },
    ...{ cgroupFolder: '/run/calico/cgroup', addresses: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'] },
    addressesV6: ['fd00::1', null, 'fd00::3', 'fd00::4'],
    partners: {
      groups: [
        [3, 0],
        [1, 2],
      ],
      bridges: [
        { ends: [0, 2], colour: 0 },
        { ends: [1, 0], colour: 5 },
        { ends: [1, 2], colour: 7 },
      ],
      ...{ missing: 0, others: [] },
    },
  };
  expect([0, 1].map((group) => probeEnvironment('host', settings, group).BRIDGES)).toEqual([
    '1,0,0,10.0.0.3,fd00::3 1,1,5,10.0.0.2',
    '1,1,0,10.0.0.1,fd00::1 0,0,5,10.0.0.1,fd00::1 0,0,7,10.0.0.3,fd00::3 1,1,7,10.0.0.2',
  ]);
});

test('of many nodes the script has what tests DSR only where that is asked for', () => {
  const addresses = ['10.0.0.1', '10.0.0.2'];
  const several = { addresses, partners: { groups: [[0], [1]], bridges: [], missing: 0, others: [] } };
  expect(scriptOf('host', several)).not.toContain('impersonate');
  expect(scriptOf('host', { ...several, dsr: true })).toBe(withoutComments(probeScript));
  expect(scriptOf('host', { addresses })).toBe(probeScript);
  // e2e/probe runs the script without these parts.
  const parts = /^# begin dsr$([\s\S]*?)^# end dsr$/gm;
  const defined = [...probeScript.matchAll(parts)].flatMap(([, part = '']) => [...part.matchAll(/^(\w+)\(\) \{/gm)]);
  expect(defined.map(([, name]) => name)).toEqual(['router_towards', 'expect_foreign', 'impersonate', 'send_foreign']);
});

test('what a plan lists for the watch of services is what is made, in that order', () => {
  const made = watchObjects({
    image: 'quay.io/calico/node:v3.31.4',
    intervalMs: 50,
    api: { host: '10.96.0.1', port: 443 },
    dns: null,
    nodePort: null,
    nodes: [],
    asking: 'all',
    pullSecrets: [{ namespace: 'calico-system', name: 'mirror' }],
  });
  const ids = made.map((one) =>
    objectId({ ...one.metadata, name: one.metadata.name ?? '', resource: resourceOf(one) }),
  );
  expect(ids).toEqual(watchRefs(['mirror']).map(objectId));
});
