import { type Choices, choicesSchema } from '#lib/spec/index.ts';

/** What an administrator answers to `enable`; the endpoint as it is typed, `host:port`. */
export function enableAnswers(endpoint: string, more: Partial<Choices> = {}): Choices {
  const colon = endpoint.lastIndexOf(':');
  return choicesSchema.parse({
    goal: 'enable',
    endpoint: { host: endpoint.slice(0, colon), port: endpoint.slice(colon + 1) },
    ...more,
  });
}
