import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { checks } from '#lib/checks/index.ts';
import { writeStateFile } from '#lib/run/index.ts';
import { type Choices, choicesSchema, type Goal } from '#lib/spec/index.ts';
import type { Draft, Slug } from '../../host.ts';
import { type Answers, type StepId, stepIds } from '../../wizard/answers.ts';
import type { HostLog } from '../host-log.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { Refused } from '../refused.ts';

export type DraftStore = {
  /** Drafts that have not become a run, newest first. */
  list(cluster: Slug): Promise<Draft[]>;
  /** `given`: the answers that the page of the new draft was opened with. */
  create(
    cluster: Slug,
    goal: Goal,
    proposals?: 'accepted' | 'open',
    given?: Pick<Answers, 'policy' | 'policyRemarks'>,
  ): Promise<Draft>;
  read(cluster: Slug, id: string): Promise<Draft>;
  /** `check` gets the answers before and after, and throws if the new ones must not be kept. */
  answer(
    cluster: Slug,
    id: string,
    given: GivenAnswers,
    check: (before: Choices, after: Choices) => Promise<void>,
  ): Promise<Draft>;
  /** Records which plan is about to start, for a process that ends before it knows the run's name. */
  starting(cluster: Slug, id: string, planHash: string): Promise<void>;
  /** Records that the run of this plan exists: it came from the draft that was about to start it. */
  adopt(cluster: Slug, planHash: string, run: string): Promise<void>;
  /** Records which run the draft became. */
  started(cluster: Slug, id: string, run: string): Promise<void>;
  /** Gives the draft a name, or takes it away so that goal and time name it again. Answers do not change, so the revision stays. */
  rename(cluster: Slug, id: string, name: string | null): Promise<void>;
  discard(cluster: Slug, id: string): Promise<void>;
};

type GivenAnswers = { revision: number; step: StepId; answers: Partial<Answers> };

/** A draft as its file stores it. */
const storedSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('Draft'),
  id: z.string(),
  cluster: z.string(),
  name: z.string().nullable().default(null),
  revision: z.number().int(),
  answers: choicesSchema,
  answered: z.array(z.enum(stepIds)),
  /** When each finding was accepted, by its id. */
  acceptedAt: z.record(z.string(), z.string()).default({}),
  createdAt: z.string(),
  updatedAt: z.string(),
  run: z.string().nullable(),
  /** Hash of the plan that was about to start at the last write. */
  starting: z.string().nullable().default(null),
});
type StoredDraft = z.infer<typeof storedSchema>;

const runsKeptMs = 30 * 24 * 60 * 60_000;

const idPattern = /^draft-[0-9a-f]{12}$/;

/**
 * Stores drafts, one JSON file each in the state folder (0600). Only the console's process writes them; the revision keeps two of its tabs apart. A
 * file that cannot be read is set aside unchanged and reported once, and does not affect the others.
 */
export function draftStore(options: { stateFolder: string; now: () => number; log: HostLog }): DraftStore {
  const { now, log } = options;
  const folder = join(options.stateFolder, 'drafts');
  const pathOf = (id: string) => join(folder, `${id}.json`);
  const inTurn = oneAtATime();

  const read = async (cluster: Slug, id: string): Promise<StoredDraft> => {
    const stored = idPattern.test(id) ? await readFileOf(id) : null;
    if (!stored || stored.cluster !== cluster)
      throw new Refused('draft.not-found', 'These answers were discarded in another tab.');
    return stored;
  };

  const readFileOf = async (id: string): Promise<StoredDraft | null> => {
    const text = await readFile(pathOf(id), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) return null;
    try {
      return storedSchema.parse(JSON.parse(text));
    } catch (error) {
      const aside = `${pathOf(id)}.broken-${now()}`;
      await rename(pathOf(id), aside);
      log(`draft ${id} cannot be read and was set aside as ${aside}`, error);
      throw new Refused(
        'draft.broken',
        `The kept answers ${id} cannot be read. Their file was set aside as ${aside}; start again, or fix the file and put it back.`,
      );
    }
  };

  const readAll = async (): Promise<StoredDraft[]> => {
    const files = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const ids = files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
    const read = await Promise.all(
      ids
        .filter((id) => idPattern.test(id))
        .map((id) =>
          readFileOf(id).catch((error: unknown) => {
            // A file that only root may read, left by a console that ran as root. The others are still listed.
            if (!(error instanceof Refused)) log(`draft ${id} cannot be read`, error);
            return null;
          }),
        ),
    );
    return read.filter((stored) => stored !== null);
  };

  /** A draft that became a run is kept for a while, so that a second click on *Start* finds the run. After that the run's journal has everything. */
  const forgetOldRuns = async (): Promise<void> => {
    const old = (await readAll()).filter(
      ({ run, updatedAt }) => run !== null && now() - Date.parse(updatedAt) > runsKeptMs,
    );
    await Promise.all(old.map(({ id }) => rm(pathOf(id), { force: true })));
  };

  const write = async (stored: StoredDraft): Promise<Draft> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeStateFile(pathOf(stored.id), stored);
    return draftOf(stored);
  };

  const at = () => new Date(now()).toISOString();

  const started: DraftStore['started'] = (cluster, id, run) =>
    inTurn(id, async () => {
      await write({ ...(await read(cluster, id)), run, updatedAt: at() });
    });

  return {
    list: async (cluster) =>
      (await readAll())
        .filter((stored) => stored.cluster === cluster && stored.run === null)
        .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
        .map(draftOf),
    create: async (cluster, goal, proposals = 'open', given = {}) => {
      await forgetOldRuns();
      return write({
        apiVersion: 'signalbox.dev/v1',
        kind: 'Draft',
        id: `draft-${randomBytes(6).toString('hex')}`,
        cluster,
        name: null,
        revision: 1,
        answers: choicesSchema.parse({ ...given, goal, acceptProposals: proposals === 'accepted' }),
        answered: [],
        acceptedAt: {},
        createdAt: at(),
        updatedAt: at(),
        run: null,
        starting: null,
      });
    },
    read: async (cluster, id) => draftOf(await read(cluster, id)),
    answer: (cluster, id, given, check) =>
      inTurn(id, async () => {
        const stored = await read(cluster, id);
        const answers = merged(stored.answers, given.answers);
        // The same form twice, or the same answers from another tab: nothing changes, so the revision stays.
        if (stored.answered.includes(given.step) && isDeepStrictEqual(answers, stored.answers)) return draftOf(stored);
        if (stored.run !== null)
          throw new Refused('draft.started', `These answers have become run ${stored.run}; they stay as they are.`);
        if (stored.revision !== given.revision)
          throw new Refused(
            'draft.changed',
            'These answers were changed in another tab or browser. Reload to see them, then answer again.',
          );
        await check(stored.answers, answers);
        return write({
          ...stored,
          revision: stored.revision + 1,
          answers,
          acceptedAt: acceptedAt(stored, answers, at()),
          answered: stepIds.filter((step) => step === given.step || stored.answered.includes(step)),
          updatedAt: at(),
          starting: null,
        });
      }),
    starting: (cluster, id, planHash) =>
      inTurn(id, async () => {
        await write({ ...(await read(cluster, id)), starting: planHash });
      }),
    adopt: async (cluster, planHash, run) => {
      const left = (await readAll()).filter(
        (stored) => stored.cluster === cluster && stored.run === null && stored.starting === planHash,
      );
      await Promise.all(left.map((stored) => started(cluster, stored.id, run)));
    },
    started,
    rename: (cluster, id, name) =>
      inTurn(id, async () => {
        await write({ ...(await read(cluster, id)), name });
      }),
    discard: (cluster, id) =>
      inTurn(id, async () => {
        await read(cluster, id);
        await rm(pathOf(id), { force: true });
      }),
  };
}

/** An unchanged reason keeps its time; a changed one gets a new time. */
function acceptedAt(stored: StoredDraft, { acknowledge }: Choices, now: string): StoredDraft['acceptedAt'] {
  const isSame = (id: string, reason: string) => stored.answers.acknowledge[id] === reason;
  return Object.fromEntries(
    Object.entries(acknowledge).map(([id, reason]) => [id, (isSame(id, reason) && stored.acceptedAt[id]) || now]),
  );
}

function draftOf({ starting: _starting, apiVersion: _version, kind: _kind, ...draft }: StoredDraft): Draft {
  return draft;
}

/** The answers as the file gives them back, without those that are undefined. */
function plain(answers: Partial<Answers>): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(answers)));
}

/** Findings about the address that nodes will use: accepting one holds for one address only. */
const ofTheEndpoint: ReadonlySet<string> = new Set(
  checks.filter(({ group }) => group === 'API endpoint').map(({ id }) => id),
);

/** Reopens the findings about the endpoint when it, or the way to find it, changes. */
function withoutStaleReasons(stored: Choices, given: Partial<Answers>, answers: Choices): Choices {
  const isSame = isDeepStrictEqual([answers.endpoint, answers.automatic], [stored.endpoint, stored.automatic]);
  if (isSame || given.acknowledge !== undefined) return answers;
  const others = Object.entries(answers.acknowledge).filter(([id]) => !ofTheEndpoint.has(id));
  return { ...answers, acknowledge: Object.fromEntries(others) };
}

/** A key with the value undefined removes the answer. */
function merged(stored: Choices, given: Partial<Answers>): Choices {
  const parsed = choicesSchema.safeParse(plain({ ...stored, ...given }));
  if (parsed.success) return withoutStaleReasons(stored, given, parsed.data);
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) fields[path.join('.')] ??= message;
  const [field = '', message = ''] = Object.entries(fields)[0] ?? [];
  throw new Refused('draft.invalid', `${field === '' ? 'The answers' : field}: ${message}`, fields);
}
