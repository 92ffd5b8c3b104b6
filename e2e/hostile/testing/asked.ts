/** A request before it is bytes. `headers` go out as they stand here, in this order, names and all; Content-Length is theirs to say. */
export type Asked = {
  method: string;
  target: string;
  version?: '1.0' | '1.1';
  hosts: readonly string[];
  headers: readonly (readonly [string, string])[];
  body?: string;
};

export function bytesOf({ method, target, version = '1.1', hosts, headers, body = '' }: Asked): string {
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...hosts.map((host) => `Host: ${host}`),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** For people, in one line. Cookies are long and no news. */
export function inWords({ method, target, hosts, headers }: Asked): string {
  const headerTexts = headers.map(([name, value]) => `${name}: ${value.slice(0, 80)}`);
  return [`${method} ${target.slice(0, 200)}`, ...hosts.map((host) => `Host: ${host}`), ...headerTexts]
    .join(' | ')
    .slice(0, 900);
}
