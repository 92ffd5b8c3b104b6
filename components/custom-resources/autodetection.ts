import { listOf } from './edit-spec.ts';

/** A method by which the agent finds its node's address (calico.md §2.1). `asks`: its parameter. */
export type Method = {
  readonly id: string;
  readonly title: string;
  readonly asks: null | { readonly label: string; readonly hint: string };
  read(value: Readonly<Record<string, unknown>>): string | null;
  write(text: string): Readonly<Record<string, unknown>>;
};

const given = (key: string) => ({
  read: (value: Readonly<Record<string, unknown>>) => (typeof value[key] === 'string' ? value[key] : null),
  write: (text: string) => ({ [key]: text }),
});

export const methods: readonly Method[] = [
  {
    id: 'firstFound',
    title: 'The first usable interface',
    asks: null,
    read: ({ firstFound }) => (firstFound === true ? '' : null),
    write: () => ({ firstFound: true }),
  },
  {
    id: 'kubernetes',
    title: 'The address that Kubernetes knows (InternalIP)',
    asks: null,
    read: ({ kubernetes }) => (kubernetes === 'NodeInternalIP' ? '' : null),
    write: () => ({ kubernetes: 'NodeInternalIP' }),
  },
  {
    id: 'interface',
    title: 'Interfaces by name',
    asks: { label: 'Interfaces', hint: 'A regular expression, such as eth.*' },
    ...given('interface'),
  },
  {
    id: 'skipInterface',
    title: 'All interfaces but some',
    asks: { label: 'Interfaces to skip', hint: 'A regular expression, such as ^br-.*' },
    ...given('skipInterface'),
  },
  {
    id: 'canReach',
    title: 'The interface that leads to an address',
    asks: { label: 'Address', hint: 'An address or name that every node reaches through the right interface.' },
    ...given('canReach'),
  },
  {
    id: 'cidrs',
    title: 'Addresses within ranges',
    asks: { label: 'Ranges', hint: 'CIDRs, with commas between them.' },
    read: ({ cidrs }) => (Array.isArray(cidrs) ? cidrs.map(String).join(', ') : null),
    write: (text) => ({ cidrs: listOf(text) ?? [] }),
  },
];

/** The method of a value with its parameter; null: none, or unknown. */
export function methodOf(value: unknown): { readonly method: Method; readonly text: string } | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = Object.fromEntries(Object.entries(value));
  for (const method of methods) {
    const text = method.read(fields);
    if (text !== null) return { method, text };
  }
  return null;
}
