import { runsPath } from '#components/frame/paths.ts';
import {
  endpointProposal,
  type FormStepId,
  goalOptions,
  platformProposal,
  proxyProposal,
  type Values,
  type WizardContext,
} from '#lib/console/wizard/index.ts';
import { AfterwardsLater } from '../fields/afterwards-later.tsx';
import { ChangesLater } from '../fields/changes-later.tsx';
import { EndpointFields } from '../fields/endpoint-fields.tsx';
import { GoalFields } from '../fields/goal-fields.tsx';
import { OptionsFields } from '../fields/options-fields.tsx';
import { PlatformFields } from '../fields/platform-fields.tsx';
import { ProxyFields } from '../fields/proxy-fields.tsx';
import { ReleaseFieldsLater } from '../fields/release-later.tsx';
import { ResourcesLater } from '../fields/resources-later.tsx';
import { WayOfRelease } from '../fields/way-of-release.tsx';

/** The fields of a step with their proposals. */
export function StepFields({ step, context, saved }: { step: FormStepId; context: WizardContext; saved: Values }) {
  switch (step) {
    case 'goal':
      return (
        <GoalFields options={goalOptions(context)} chosen={saved.goal ?? ''} runs={runsPath(context.draft.cluster)} />
      );
    case 'platform':
      return <PlatformFields proposal={platformProposal(context)} chosen={saved.platform ?? ''} />;
    case 'endpoint':
      return <EndpointFields proposal={endpointProposal(context)} saved={saved} />;
    case 'proxy':
      return <ProxyFields proposal={proxyProposal(context)} saved={saved} />;
    case 'release':
      return (
        context.release && (
          <div className="grid grid-cols-1 gap-6">
            {context.way !== null && <WayOfRelease way={context.way} />}
            <ReleaseFieldsLater
              data={context.release}
              saved={saved}
              accepted={context.draft.answers.acceptProposals ? context.release.progress.wanted.version : null}
              brings={context.draft.answers.goal === 'install' ? 'custom-resources' : 'release-only'}
            />
          </div>
        )
      );
    case 'resources':
      return (
        context.installation && (
          <ResourcesLater
            place={{ cluster: context.draft.cluster, draft: context.draft.id, step }}
            data={context.installation}
            saved={saved}
          />
        )
      );
    case 'changes':
      return context.changes && <ChangesLater changes={context.changes} saved={saved} />;
    case 'afterwards':
      return (
        context.afterwards && (
          <AfterwardsLater afterwards={context.afterwards} saved={saved} cluster={context.draft.cluster} />
        )
      );
    case 'options':
      return <OptionsFields saved={saved} goal={context.draft.answers.goal} />;
    case 'compatibility':
      return null;
  }
}
