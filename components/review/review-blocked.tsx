import { ButtonLink } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { counted } from '#lib/base/words.ts';
import { type Findings, isBlocking, needsAnswer } from '#lib/checks/index.ts';

/** All reasons why this plan cannot start yet, with links to where they are answered; nothing if it can. */
export function ReviewBlocked({ findings, compatibility }: { findings: Findings; compatibility: string }) {
  if (findings.verdict === 'ready') return null;
  const isBlocked = findings.verdict === 'blocked';
  const open = findings.findings.filter(isBlocked ? isBlocking : needsAnswer);
  return (
    <Notice
      state={isBlocked ? 'bad' : 'warn'}
      title={
        isBlocked
          ? `${counted(open.length, 'finding')} ${open.length === 1 ? 'blocks' : 'block'} this plan`
          : `${counted(open.length, 'finding')} ${open.length === 1 ? 'has' : 'have'} to be fixed or accepted with a reason first`
      }
      actions={<ButtonLink href={compatibility}>Go to compatibility</ButtonLink>}
    >
      <ul className="list-disc pl-5">
        {open.map(({ id, title, because }) => (
          <li key={id}>
            {title}: {because}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
