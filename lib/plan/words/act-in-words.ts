import { counted } from '#lib/base/words.ts';
import { helmWords, objectId } from '#lib/spec/index.ts';
import { helmArguments } from '../install/helm-arguments.ts';
import type { Act } from '../schema/act.ts';

/**
 * What an act does, from the act alone: for runs and files whose own sentences are not trusted. One line for each write, in order; an act that
 * writes nothing has one line that says so.
 */
export function actInWords(act: Act): string[] {
  switch (act.kind) {
    case 'merge-patch':
      return [`patch ${objectId(act.target)}${act.whose ? ', where the operator alone wrote the fields' : ''}`];
    case 'apply':
      return [`apply ${objectId(act.target)}`];
    case 'apply-manifest':
      return [`apply ${counted(act.targets.length, 'object')} of ${act.manifest.file}, ${act.manifest.version}`];
    case 'create':
    case 'recreate':
      return [`create ${objectId(act.target)}`];
    case 'delete':
      return [`delete ${objectId(act.target)}${act.made ? ', where this run made it' : ''}`];
    case 'delete-all':
      return act.targets.map((target) => `delete ${objectId(target)}`);
    case 'helm':
      return [helmWords(act, helmArguments(act)).join(' ')];
    case 'remove-owner-references':
      return act.dependants.map(({ target }) => `take owner references from ${objectId(target)}`);
    case 'restore-owner-references':
      return act.dependants.map(({ target }) => `give owner references back to ${objectId(target)}`);
    case 'adopt-fields':
      return act.targets.map((target) => `take over fields of ${objectId(target)}`);
    case 'sequence':
      return act.steps.flatMap((step) => actInWords(step.act));
    case 'instruct':
      return ['ask the administrator to act'];
    case 'journal':
      return ['write the journal'];
    case 'wait':
    case 'verify':
      return [];
  }
}
