import { expect, test } from 'vitest';
import { effectiveFelixConfig } from './felix-config.ts';

const aConfiguration = (name: string, spec: object) => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'FelixConfiguration',
  metadata: { name },
  spec,
});

test('environment beats the node, which beats the default', () => {
  const configurations = [
    aConfiguration('default', { bpfEnabled: false, logSeverityScreen: 'Warning' }),
    aConfiguration('node.worker-1', { bpfEnabled: true }),
  ];
  expect(effectiveFelixConfig(configurations, 'worker-1', {})).toMatchObject({ bpfEnabled: true, severity: 'Warning' });
  expect(effectiveFelixConfig(configurations, 'worker-2', {})).toMatchObject({ bpfEnabled: false });
  const env = { FELIX_BPFENABLED: 'false', FELIX_LOGSEVERITYSCREEN: 'debug' };
  expect(effectiveFelixConfig(configurations, 'worker-1', env)).toMatchObject({ bpfEnabled: false, severity: 'Debug' });
});

test('without any configuration: the defaults of Felix itself', () => {
  expect(effectiveFelixConfig([], 'worker-1', {})).toMatchObject({
    bpfEnabled: false,
    cleansProxyRules: true,
    nftables: false,
    severity: 'Info',
  });
});

test('every change of the configuration has another fingerprint', () => {
  const of = (spec: object) => effectiveFelixConfig([aConfiguration('default', spec)], 'worker-1', {}).fingerprint;
  expect(of({ bpfEnabled: true, vxlanPort: 4789 })).toBe(of({ vxlanPort: 4789, bpfEnabled: true }));
  expect(of({ bpfEnabled: true })).not.toBe(of({ bpfEnabled: true, bpfKubeProxyIptablesCleanupEnabled: false }));
});
