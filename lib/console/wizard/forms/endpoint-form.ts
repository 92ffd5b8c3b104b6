import { z } from 'zod';
import { portOf, portRange } from '#lib/base/network/ports.ts';
import { defineStepForm } from './step-form.ts';

const hostLimitChars = 253;

/** An address for every node, or automatic mode of a new installation, in which the operator finds the API servers itself. */
const endpointWays = ['address', 'operator'] as const;

/**
 * Host and port as typed; both empty: not chosen. Refuses only what the checks could not read. Whether the address is valid and suitable is left to the checks
 * of the group API endpoint, shown below the fields.
 */
export const endpointForm = defineStepForm({
  schema: z
    .object({ by: z.enum(endpointWays), host: z.string().trim(), port: z.string().trim() })
    .superRefine(({ by, host, port }, context) => {
      const say = (path: 'host' | 'port', message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (by === 'operator') return;
      if (host.length > hostLimitChars)
        say('host', `A host name has at most ${hostLimitChars} characters; this has ${host.length}.`);
      if (host === '' && port !== '') say('host', 'Enter a host name or an IP address beside the port.');
      if (port === '' && host !== '') say('port', 'Enter the port beside the host, usually 6443 or 443.');
      if (port !== '' && portOf(port) === null)
        say('port', `"${port.slice(0, 40)}" is not a port: enter a number from ${portRange}.`);
    }),
  read: ({ endpoint, automatic }) => ({
    by: automatic ? 'operator' : 'address',
    host: endpoint?.host ?? '',
    port: endpoint?.port ?? '',
  }),
  write: ({ by, host, port }) => ({
    automatic: by === 'operator' ? true : undefined,
    endpoint: by === 'operator' || host === '' ? undefined : { host, port },
  }),
});
