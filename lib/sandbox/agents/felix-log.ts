import { felixLines } from '#lib/spec/index.ts';
import { type FelixConfig, isLogged, type Severity } from './felix-config.ts';
import type { LogLine } from './node-memory.ts';

type Message = { afterMs: number; severity: Severity; from: string; text: string };

const daemon = 'felix/daemon.go';
const dataplane = 'felix/int_dataplane.go';

/** Felix's log lines at its start, in the mode that its configuration requests and its kernel allows. */
export function startLines(
  config: FelixConfig,
  outcome: 'BPF' | 'refused' | 'standard',
  version: string,
  at: number,
  pid: number,
): LogLine[] {
  const messages: Message[] = [
    {
      afterMs: 4,
      severity: 'Info',
      from: `${daemon} 395`,
      text: `${felixLines.starting} GOMAXPROCS=4 version="${version}"`,
    },
    { afterMs: 6, severity: 'Info', from: `${daemon} 154`, text: 'Loading configuration...' },
    { afterMs: 41, severity: 'Info', from: `${daemon} 373`, text: 'Successfully loaded configuration.' },
  ];
  if (outcome === 'refused') {
    messages.push({
      afterMs: 43,
      severity: 'Error',
      from: `${daemon} 421`,
      text: `${felixLines.bpfRefused}  Disabling BPF mode.`,
    });
  }
  if (outcome === 'BPF' && config.cleansProxyRules) {
    messages.push({
      afterMs: 58,
      severity: 'Info',
      from: `${dataplane} 541`,
      text: "BPF enabled, configuring iptables layer to clean up kube-proxy's rules.",
    });
  }
  if (outcome === 'BPF') {
    messages.push({ afterMs: 66, severity: 'Info', from: `${dataplane} 1004`, text: felixLines.bpfEnabled });
  }
  messages.push({ afterMs: 92, severity: 'Info', from: `${daemon} 648`, text: 'Connected to the dataplane driver' });
  return render(messages, config.severity, at, pid);
}

/** When its configuration changes, Felix ends with status 129, and its supervisor restarts it in the same container (calico.md §3.5). */
export function stopLines(threshold: Severity, at: number, pid: number): LogLine[] {
  return render(
    [
      {
        afterMs: 0,
        severity: 'Warning',
        from: `${daemon} 1248`,
        text: 'Felix is shutting down reason="config changed"',
      },
      { afterMs: 2, severity: 'Info', from: `${daemon} 1302`, text: 'Exiting for config change. rc=129' },
    ],
    threshold,
    at,
    pid,
  );
}

function render(messages: readonly Message[], threshold: Severity, at: number, pid: number): LogLine[] {
  return messages
    .filter(({ severity }) => isLogged(severity, threshold))
    .map(({ afterMs, severity, from, text }) => {
      const time = new Date(at + afterMs).toISOString().replace('T', ' ').slice(0, 23);
      return { at: at + afterMs, line: `${time} [${severity.toUpperCase()}][${pid}] ${from}: ${text}` };
    });
}
