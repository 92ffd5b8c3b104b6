import { schemaAt } from '#lib/installation/field-schema.ts';
import type { FieldSchema, Path } from '#lib/installation/in-browser.ts';

/** Options at the cursor. `from`: the start of the typed part. */
export type Completion = { readonly from: number; readonly options: readonly Option[] };
type Option = { readonly label: string; readonly detail: string; readonly about: string; readonly insert: string };

/** Completes fields and values of an Installation at an offset, by the release's schema of `spec`. The rest of the text may be invalid. */
export function completionAt(text: string, offset: number, spec: FieldSchema): Completion | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [, lead, key, part = ''] = /^((?:\s|-\s)*)(?:([\w./-]+):\s+)?([\w./-]*)$/.exec(text.slice(start, offset)) ?? [];
  if (lead === undefined) return null;
  const schema: FieldSchema = {
    type: 'object',
    properties: { spec: { ...spec, about: 'What the operator installs.' } },
  };
  const group = schemaAt(schema, groupAt(text.slice(0, start), lead));
  const field = key === undefined || group === null ? group : schemaAt(group, [key]);
  const options = key === undefined ? fieldsOf(field) : valuesOf(field);
  return options.length === 0 ? null : { from: offset - part.length, options };
}

type Level = { readonly column: number; readonly step: string | number };

/** The path of the map that a key after `lead` belongs to, by the indentation of the lines before. */
function groupAt(before: string, lead: string): Path {
  const levels: Level[] = [];
  for (const line of before.split('\n')) {
    const [, space = '', key] = /^((?:\s|-(?=\s))*)([\w./-]+)(?=:(?:\s|$))/.exec(line) ?? [];
    if (key !== undefined) enter(levels, space, key);
  }
  enter(levels, lead, '');
  return levels.slice(0, -1).map(({ step }) => step);
}

function enter(levels: Level[], lead: string, key: string): void {
  for (const { index } of lead.matchAll(/-/g)) {
    // A list may have the same indentation as its key.
    leave(levels, ({ column, step }) => column > index || (column === index && typeof step === 'number'));
    levels.push({ column: index, step: 0 });
  }
  leave(levels, ({ column }) => column >= lead.length);
  levels.push({ column: lead.length, step: key });
}

function leave(levels: Level[], isOver: (level: Level) => boolean): void {
  for (let last = levels.at(-1); last && isOver(last); last = levels.at(-1)) levels.pop();
}

function fieldsOf(group: FieldSchema | null): Option[] {
  return Object.entries(group?.properties ?? {}).map(([label, field]) => ({
    label,
    detail: typeWords(field),
    about: field.about ?? '',
    insert: field.type === 'object' || field.type === 'array' ? `${label}:` : `${label}: `,
  }));
}

function valuesOf(field: FieldSchema | null): Option[] {
  const values = field?.type === 'boolean' ? ['true', 'false'] : (field?.enum ?? []).map(String);
  return values.filter((one) => one !== '').map((one) => ({ label: one, detail: '', about: '', insert: one }));
}

function typeWords({ type = 'object', enum: values }: FieldSchema): string {
  if (values) return values.filter((one) => one !== '').join(' | ');
  return types[type];
}

const types = {
  object: '',
  array: 'list',
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'true | false',
  'int-or-string': 'number or text',
} as const;
