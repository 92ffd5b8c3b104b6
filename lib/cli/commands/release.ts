import type { Command, Invocation } from '../command.ts';
import { usageError } from '../exit.ts';
import { diffReleases } from '../release/diff.ts';
import { fetchRelease } from '../release/fetch.ts';
import { imagesOfRelease } from '../release/images.ts';
import { listReleases } from '../release/list.ts';
import { releaseFlags } from '../release/release-flags.ts';
import { renderRelease } from '../release/render.ts';
import { showRelease } from '../release/show.ts';
import { verifyFiles } from '../release/verify.ts';

type Act = {
  readonly takes: 0 | 1 | 2;
  readonly run: (invocation: Invocation, ...versions: [string, string]) => Promise<number>;
};

const acts: Readonly<Record<string, Act>> = {
  list: { takes: 0, run: listReleases },
  show: { takes: 1, run: showRelease },
  images: { takes: 1, run: imagesOfRelease },
  render: { takes: 1, run: renderRelease },
  verify: { takes: 1, run: verifyFiles },
  diff: { takes: 2, run: diffReleases },
  fetch: { takes: 1, run: fetchRelease },
};

export const release: Command = {
  name: 'release',
  arguments: 'list | show V | images V | render V | verify V | diff V1 V2 | fetch V',
  summary:
    'List the Calico releases that Signalbox knows, or read the files of one. list, show and images need no network; the others take the files from --source, else from SIGNALBOX_CALICO_DIR, else from the public address or an earlier download.',
  flags: releaseFlags,
  async run(invocation) {
    const [what = '', ...versions] = invocation.args;
    const act = Object.hasOwn(acts, what) ? acts[what] : undefined;
    if (act === undefined || act.takes !== versions.length)
      throw usageError(
        'release: one of `list`, `show V`, `images V`, `render V`, `verify V`, `diff V1 V2` or `fetch V [--to DIR]` is needed; V is a version such as v3.31.4',
      );
    return act.run(invocation, versions[0] ?? '', versions[1] ?? '');
  },
};
