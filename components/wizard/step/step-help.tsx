import { Disclosure } from '#components/ui/disclosure.tsx';
import type { StepId } from '#lib/console/wizard/index.ts';

/** Always below the list of steps (WCAG 2.2, 3.2.6). */
export function StepHelp({ step }: { step: StepId }) {
  return (
    <div className="mt-2 px-2 text-sm lg:mt-4">
      <Disclosure summary="Help with this step">
        <p className="max-w-[64ch] text-ink-2">{texts[step]}</p>
      </Disclosure>
    </div>
  );
}

const texts: Readonly<Record<StepId, string>> = {
  goal: 'Nothing is changed while you answer: the cluster is only read. What would change is shown in the review, and starts there.',
  platform:
    'The platform decides where the address of the API server is looked for, and how the service proxy is turned off. If it was recognised wrongly, say so here.',
  endpoint:
    'Today Calico reaches the API server through a Service, and the service proxy makes that Service work. eBPF takes its place, so Calico needs an address that works without: one that every node reaches, and that stays right when an API server is replaced.',
  proxy:
    'kube-proxy makes Services work by rules in the kernel. eBPF does the same itself. The proxy is turned off last, when every node is proven, and comes back first when a run is undone.',
  release:
    'The files of a release are the manifests that Calico publishes: custom resource definitions, the operator, and what it is asked to set up. They are kept on this machine by their checksums, so that a run continues with the very files that were reviewed.',
  resources:
    'The Installation is the one object that tells Calico’s operator what to set up. The form holds what people change; the same document can be edited as YAML. Both are checked before anything is applied.',
  options:
    'Only unusual settings need an answer. Options can be changed later; each change restarts every agent once more.',
  changes:
    'A new release comes with files of its own. What you changed since the old ones would be lost with them, so each change is found and shown: keep it, take what the new release has, or write something else. On the command line the same answers are flags: --keep, --take, --write and --remove.',
  afterwards:
    'Nothing here is needed for the upgrade. What you ask for is done once every node runs the new release, and the undo of the run undoes it first. The same on the command line: --afterwards, and --keep or --take for a label.',
  compatibility:
    'Blocking findings must be fixed. Unknown ones and warnings are yours to decide: with a reason, which is recorded with the run. Each finding shows what was read, so that you can look yourself.',
  review:
    'Every change was tried by the API server without being made. The run makes these changes and no others, in this order.',
  run: 'The console runs it: closing this page stops nothing.',
};
