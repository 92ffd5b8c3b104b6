/**
 * Headers in the format of OpenTelemetry's exporters, `name=value,name=value` with percent-encoded values, from the environment: credentials must not
 * be in a command line. Throws a sentence that names the variable and shows no value.
 */
export function otlpHeaders(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const variable of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_LOGS_HEADERS'])
    for (const [index, pair] of (env[variable] ?? '').split(',').entries()) {
      if (pair.trim() === '') continue;
      const at = pair.indexOf('=');
      const name = pair.slice(0, Math.max(0, at)).trim().toLowerCase();
      const value = decoded(pair.slice(at + 1).trim());
      if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || value === null || /[^\t\x20-\x7e]/.test(value))
        throw new Error(`${variable}: header ${index + 1} is not NAME=VALUE`);
      headers[name] = value;
    }
  return headers;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
