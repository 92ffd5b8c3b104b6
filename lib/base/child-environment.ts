/** What of this program's environment is a secret for another server than those that a child talks to. */
const ownSecrets = /^(SIGNALBOX_CLICKHOUSE_PASSWORD|OTEL_EXPORTER_.*HEADERS)$/;

/** What a program of others gets of this one's environment. */
export function childEnvironment<T>(env: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ownSecrets.test(name)));
}
