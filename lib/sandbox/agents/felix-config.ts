import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { isOnForFelix } from '#lib/spec/index.ts';

const fields = z.looseObject({
  bpfEnabled: z.boolean().default(false),
  bpfKubeProxyIptablesCleanupEnabled: z.boolean().default(true),
  nftablesMode: z.string().default('Disabled'),
  logSeverityScreen: z.string().default('Info'),
});
const configuration = z.looseObject({ spec: z.record(z.string(), z.unknown()).default({}) });

export type FelixConfig = {
  bpfEnabled: boolean;
  cleansProxyRules: boolean;
  nftables: boolean;
  severity: Severity;
  /** Equal for equal configurations: Felix restarts when it changes (calico.md §3.5). */
  fingerprint: string;
};

export type Severity = 'Debug' | 'Info' | 'Warning' | 'Error' | 'Fatal';
const severities: readonly Severity[] = ['Debug', 'Info', 'Warning', 'Error', 'Fatal'];

/**
 * The environment overrides `node.<name>`, which overrides `default` (calico.md §5). From the environment only the variables for data plane and log.
 */
export function effectiveFelixConfig(
  configurations: readonly KubeObject[],
  nodeName: string,
  env: Readonly<Record<string, string>>,
): FelixConfig {
  const specOf = (name: string) =>
    configuration.parse(configurations.find(({ metadata }) => metadata.name === name) ?? {}).spec;
  const merged = { ...specOf('default'), ...specOf(`node.${nodeName}`) };
  const parsed = fields.parse(merged);
  const flag = (name: string, otherwise: boolean): boolean => (env[name] ? isOnForFelix(env[name]) : otherwise);
  const wanted = (env.FELIX_LOGSEVERITYSCREEN ?? parsed.logSeverityScreen).toLowerCase();
  return {
    bpfEnabled: flag('FELIX_BPFENABLED', parsed.bpfEnabled),
    cleansProxyRules: flag('FELIX_BPFKUBEPROXYIPTABLESCLEANUPENABLED', parsed.bpfKubeProxyIptablesCleanupEnabled),
    nftables: parsed.nftablesMode === 'Enabled',
    severity: severities.find((each) => each.toLowerCase() === wanted) ?? 'Info',
    fingerprint: JSON.stringify(Object.entries(merged).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export function isLogged(severity: Severity, threshold: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(threshold);
}
