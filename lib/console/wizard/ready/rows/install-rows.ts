import type { WizardContext } from '../../wizard-context.ts';
import type { Row } from './found-row.ts';

export function optionsRow({ draft: { answers } }: WizardContext): Row {
  const isInstall = answers.goal === 'install';
  return {
    what: 'Options',
    value: answers.dsr
      ? 'replies go straight to the client (DSR)'
      : 'as proposed: replies return through the first node',
    source: isInstall ? 'Calico’s defaults' : 'FelixConfiguration',
    change: 'options',
    checks: ['network.dsr-fabric', 'node.flexvolume-path', 'feature.host-ports'],
  };
}

export function releaseRow({ release, draft }: WizardContext): Row {
  const version = draft.answers.release ?? release?.progress.wanted.version ?? 'not chosen';
  const words = {
    'not-asked': 'files not here yet',
    opening: 'files on their way',
    failed: 'files could not be fetched',
    open: 'files here and verified',
  };
  return {
    what: 'Release',
    value: release === null ? version : `Calico ${version}, ${words[release.progress.kind]}`,
    source: release?.progress.kind === 'open' ? release.progress.source : 'proposed',
    change: 'release',
    checks: draft.answers.goal === 'upgrade' ? ['upgrade.path', 'upgrade.registry-moved'] : ['install.imageset'],
  };
}

export function poolRow({ installation, draft }: WizardContext): Row {
  const pools = [...(installation?.proposal ?? '').matchAll(/cidr: ["']?([^\s"']+)/g)].map(([, cidr]) => cidr);
  return {
    what: 'IP pool',
    value: draft.answers.installation === undefined ? pools.join(', ') || 'made by the operator' : 'as you edited it',
    source: draft.answers.installation === undefined ? 'pod network of the cluster' : 'your choice',
    change: 'resources',
    checks: ['network.mtu'],
  };
}
