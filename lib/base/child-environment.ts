/** Variables with secrets for servers that no child process talks to. */
const ownSecrets = /^(SIGNALBOX_CLICKHOUSE_PASSWORD|OTEL_EXPORTER_.*HEADERS)$/;

/** The environment for a child process that is not Signalbox, without these secrets. */
export function childEnvironment<T>(env: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ownSecrets.test(name)));
}
