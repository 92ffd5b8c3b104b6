import { releases } from '#lib/release/index.ts';
import {
  compareNumbers,
  type Gate,
  gatesOfRelease,
  inRange,
  type PlatformKind,
  parseRelease,
  type Release,
  releaseFiles,
  testedWithOf,
} from '#lib/spec/index.ts';
import type { ReleaseOffer } from '../host.ts';

/** The line of releases that the specification names (spec › Versions). */
const line = 'v3.31';

const worst: readonly Gate['action'][] = ['block', 'change', 'review', 'prefer', 'absent', 'note'];

/**
 * What can be installed, newest first, with what is known to go wrong with each. One is proposed: the newest patch of the specification's line,
 * or, on a Kubernetes that this line is not tested with, of the newest line that is.
 */
export function releaseCatalogue(kubernetes: string | null): ReleaseOffer[] {
  const proposal = proposalFor(kubernetes);
  return releases.map(({ version, operator }) => ({
    version,
    operator,
    proposed: version === proposal.version ? proposal.because : null,
    advice: adviceOn(version),
  }));
}

/** What a draft begins with. */
export function proposedRelease(kubernetes: string | null): string {
  return proposalFor(kubernetes).version;
}

/** Files by their published names; OpenShift has a bundle of many. */
export function filesNeeded(version: string, platform: PlatformKind): string[] {
  if (platform === 'openshift') return ['ocp.tgz'];
  const ofRelease = releaseFiles.filter(
    ({ file, presence, releases: range }) =>
      file !== 'ocp' && presence === 'required' && (range === undefined || inRange(version, range) === 'yes'),
  );
  return [...new Set(ofRelease.map(({ file }) => file))];
}

function proposalFor(kubernetes: string | null): { version: string; because: string } {
  const here = kubernetes === null ? null : (parseRelease(kubernetes)?.slice(0, 2) ?? null);
  const usable = releases.filter(({ version }) => !adviceOn(version).some(({ action }) => action === 'block'));
  const ofLine = usable.find(({ version }) => version.startsWith(`${line}.`));
  const tested = usable.find(({ version }) => here !== null && isTestedWith(version, here));
  const keepsToLine = ofLine && (here === null || tested === undefined || isTestedWith(ofLine.version, here));
  const found = keepsToLine ? ofLine : (tested ?? usable[0]);
  if (!found) throw new Error('No release that can be installed is known.');
  const minor = found.version.replace(/\.\d+$/, '');
  return {
    version: found.version,
    because: `The newest patch of ${minor} that is known here${testedWords(found.version, here)}`,
  };
}

function isTestedWith(version: string, here: Release): boolean {
  const row = testedWithOf(version);
  const [from, to] = [row?.from, row?.to].map((text) => (text === undefined ? null : parseRelease(text)));
  return !!from && !!to && compareNumbers(from, here) <= 0 && compareNumbers(here, to) <= 0;
}

function testedWords(version: string, here: Release | null): string {
  const row = testedWithOf(version);
  if (row === null) return '; with which Kubernetes it is tested was not read.';
  const range = `; it is tested with Kubernetes ${row.from.slice(1)} to ${row.to.slice(1)}`;
  if (here === null) return `${range}.`;
  const runs = `this cluster runs ${here.join('.')}`;
  return isTestedWith(version, here) ? `${range}, and ${runs}.` : `${range}; ${runs}, and nobody tried that together.`;
}

/** Of the release itself: what only concerns an upgrade to it is no matter for a new installation. */
function adviceOn(version: string): ReleaseOffer['advice'] {
  return gatesOfRelease(version)
    .filter(({ fromRelease, crosses }) => fromRelease === undefined && crosses === undefined)
    .map(({ id, action, condition, advice }) => ({ gate: id, action, condition, advice }))
    .sort((left, right) => worst.indexOf(left.action) - worst.indexOf(right.action));
}
