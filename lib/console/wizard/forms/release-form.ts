import { z } from 'zod';
import { thousands } from '#lib/base/words.ts';
import { defineStepForm } from './step-form.ts';

/** Sources of a release's files; all but the first are stored as `source` of Choices. */
const releaseOrigins = ['public', 'mirror', 'files'] as const;
export type ReleaseOrigin = (typeof releaseOrigins)[number];

const sourceLimitChars = 1000;
/** The limit of Choices. */
const customResourcesLimitChars = 128 * 1024;

/** Checks only the form of the answer. Whether the source has the release is found when its files are opened. */
export const releaseForm = defineStepForm({
  schema: z
    .object({
      release: z.string().trim(),
      from: z.enum(releaseOrigins, 'Choose where the files come from.'),
      mirror: z.string().trim(),
      files: z.string().trim(),
      airGapped: z.enum(['no', 'yes']),
      customResources: z
        .string()
        .max(customResourcesLimitChars, `At most ${thousands(customResourcesLimitChars)} characters are possible.`),
    })
    .superRefine(({ release, from, mirror, files }, context) => {
      const say = (path: 'release' | 'mirror' | 'files', message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (!/^v\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(release))
        say('release', 'Enter a release of Calico such as v3.31.4, with its patch number and nothing after it.');
      if (from === 'mirror') for (const fault of mirrorFaults(mirror)) say('mirror', fault);
      if (from === 'files') for (const fault of pathFaults(files)) say('files', fault);
    }),
  read: ({ release, source, airGapped, customResources }) => {
    const from = originOf(source);
    return {
      release: release ?? '',
      from,
      mirror: from === 'mirror' ? (source ?? '') : '',
      files: from === 'files' ? (source ?? '') : '',
      airGapped: airGapped ? 'yes' : 'no',
      customResources: customResources ?? '',
    };
  },
  write: ({ release, from, mirror, files, airGapped, customResources }, answers) => ({
    release,
    // Decisions belong to one release's file, so another release drops them.
    ...(answers.release === undefined || release === answers.release ? {} : { changes: undefined, remove: undefined }),
    source: { public: undefined, mirror, files }[from],
    airGapped: airGapped === 'yes' ? true : undefined,
    customResources: customResources.trim() === '' ? undefined : customResources,
  }),
});

function originOf(source: string | undefined): ReleaseOrigin {
  if (source === undefined) return 'public';
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source) ? 'mirror' : 'files';
}

function mirrorFaults(text: string): string[] {
  if (text === '') return ['Enter the address of the mirror, such as https://mirror.example.com/calico.'];
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || text.length > sourceLimitChars)
    return ['Enter an address that begins with https:// or http://.'];
  return url.username + url.password === ''
    ? []
    : ['Enter the address without a name or password: they would be stored and shown.'];
}

function pathFaults(text: string): string[] {
  if (text === '') return ['Enter the folder or bundle, such as /srv/calico or /srv/release-v3.31.4.tgz.'];
  return text.startsWith('/') && text.length <= sourceLimitChars
    ? []
    : ['Enter the full path on the machine that runs the console. It begins with a slash.'];
}
