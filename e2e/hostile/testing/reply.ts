import type { HeaderFields } from './door-tables.ts';

/** The body of an action call, and its Content-Type. */
export type Reply = { type: string; body: string };

export type Part = { name: string; value: string; file?: string; type?: string };

/** Arguments without a form, as React's client writes them: JSON in which strings with `$` have a meaning. */
export function asText(json: string): Reply {
  return { type: 'text/plain;charset=UTF-8', body: json };
}

const boundary = '----hostile0123456789';

/** Parts as a browser writes a form. Nothing is escaped: names and values are the attack. */
export function asParts(parts: readonly Part[]): Reply {
  const written = parts.map(({ name, value, file, type }) => {
    const kind = file === undefined ? '' : `; filename="${file}"\r\nContent-Type: ${type ?? 'text/plain'}`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${kind}\r\n\r\n${value}\r\n`;
  });
  return { type: `multipart/form-data; boundary=${boundary}`, body: `${written.join('')}--${boundary}--\r\n` };
}

/** Arguments with a form, which `$K1` refers to. The arguments come last, because the server reads them on arrival. */
export function withForm(json: string, form: readonly Part[]): Reply {
  return asParts([...form.map((part) => ({ ...part, name: `_1_${part.name}` })), { name: '0', value: json }]);
}

export function headersOf({ type, body }: Reply): HeaderFields {
  return [
    ['Content-Type', type],
    ['Content-Length', `${Buffer.byteLength(body, 'latin1')}`],
  ];
}
