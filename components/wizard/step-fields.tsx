import { ResourcesFields } from '#components/custom-resources/resources-fields.tsx';
import { runsPath } from '#components/frame/paths.ts';
import {
  endpointProposal,
  type FormStepId,
  goalOptions,
  platformProposal,
  proxyProposal,
  type Situation,
  type Values,
} from '#lib/console/wizard/index.ts';
import { EndpointFields } from './fields/endpoint-fields.tsx';
import { GoalFields } from './fields/goal-fields.tsx';
import { OptionsFields } from './fields/options-fields.tsx';
import { PlatformFields } from './fields/platform-fields.tsx';
import { ProxyFields } from './fields/proxy-fields.tsx';
import { ReleaseFields } from './fields/release-fields.tsx';

/** The fields of a step, with what is proposed for them. */
export function StepFields({ step, situation, kept }: { step: FormStepId; situation: Situation; kept: Values }) {
  switch (step) {
    case 'goal':
      return (
        <GoalFields
          options={goalOptions(situation)}
          chosen={kept.goal ?? ''}
          runs={runsPath(situation.draft.cluster)}
        />
      );
    case 'platform':
      return <PlatformFields proposal={platformProposal(situation)} chosen={kept.platform ?? ''} />;
    case 'endpoint':
      return <EndpointFields proposal={endpointProposal(situation)} kept={kept} />;
    case 'proxy':
      return <ProxyFields proposal={proxyProposal(situation)} kept={kept} />;
    case 'release':
      return situation.release && <ReleaseFields sight={situation.release} kept={kept} />;
    case 'resources':
      return (
        situation.installation && (
          <ResourcesFields
            place={{ cluster: situation.draft.cluster, draft: situation.draft.id, step }}
            sight={situation.installation}
            kept={kept}
          />
        )
      );
    case 'options':
      return <OptionsFields kept={kept} goal={situation.draft.answers.goal} />;
    case 'compatibility':
      return null;
  }
}
