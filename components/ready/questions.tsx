import Link from 'next/link';
import { AnswerForms } from '#components/compatibility/answer-forms.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import {
  changePath,
  fixOffer,
  type ReadyState,
  type StepPlace,
  stepText,
  type WizardContext,
} from '#lib/console/wizard/index.ts';
import { OneAnswer } from './one-answer.tsx';
import { questionOf } from './question-of.ts';
import { answersWords } from './ready-words.ts';

/** More than these are no questions for a short way: they are looked through one by one. */
const mostQuestions = 2;

/** What no reading answers: at most two questions, without a default. */
export function Questions({
  place,
  context,
  state: { questions },
}: {
  place: StepPlace;
  context: WizardContext;
  state: ReadyState;
}) {
  if (questions.length === 0) return null;
  const open = questions.filter(({ finding }) => finding.acknowledged === null);
  return (
    <Panel title="Only you can answer" aside={<StateMark state="idle">{answersWords(questions)}</StateMark>}>
      {questions.length > mostQuestions ? (
        <Many place={place} questions={questions} open={open.length} />
      ) : (
        questions.map(({ finding }) => {
          const question = questionOf(finding, context);
          return (
            <section
              key={finding.id}
              aria-labelledby={`question-${finding.id}`}
              className="border-t border-line px-4 py-3 text-sm first-of-type:border-t-0"
            >
              <h3 id={`question-${finding.id}`} className="font-semibold [overflow-wrap:anywhere]">
                {question?.asks ?? finding.because}
              </h3>
              <p className="mt-0.5 mb-2 text-ink-2 [overflow-wrap:anywhere]">
                <WithCode text={question?.because ?? finding.consequence} />
              </p>
              <div className="flex flex-wrap items-start gap-2">
                {question !== null && finding.acknowledged === null ? (
                  <>
                    <OneAnswer
                      place={place}
                      revision={context.draft.revision}
                      id={finding.id}
                      reason={question.yes.reason}
                      words={question.yes.words}
                    />
                    <Link
                      href={changePath(place.cluster, place.draft, question.no.step)}
                      prefetch={false}
                      className="inline-flex min-h-8 items-center rounded-md border border-edge bg-sheet px-3 py-1.5 font-[560] text-ink no-underline hover:bg-sunk"
                    >
                      {question.no.words}
                    </Link>
                  </>
                ) : (
                  <>
                    {finding.remedy.fixIn !== undefined && finding.acknowledged === null && (
                      <Link
                        href={changePath(place.cluster, place.draft, finding.remedy.fixIn)}
                        prefetch={false}
                        className="inline-flex min-h-8 items-center rounded-md border border-edge bg-sheet px-3 py-1.5 font-[560] text-ink no-underline hover:bg-sunk"
                      >
                        Decide in {stepText(finding.remedy.fixIn, context.draft.answers.goal).name}
                      </Link>
                    )}
                    <AnswerForms
                      place={place}
                      revision={context.draft.revision}
                      finding={finding}
                      offer={fixOffer(context.draft.answers, finding)}
                    />
                  </>
                )}
              </div>
            </section>
          );
        })
      )}
    </Panel>
  );
}

function Many({ place, questions, open }: { place: StepPlace; questions: ReadyState['questions']; open: number }) {
  return (
    <div className="px-4 py-3 text-sm">
      <p>
        {open === 0
          ? `${questions.length} findings are accepted.`
          : `${open} of ${questions.length} findings need a decision. Look at each of them:`}
      </p>
      <ul className="mt-1.5 list-disc pl-5 text-ink-2">
        {questions.map(({ finding }) => (
          <li key={finding.id} className="[overflow-wrap:anywhere]">
            {finding.status === 'fail' ? finding.because : finding.title}
          </li>
        ))}
      </ul>
      <p className="mt-2.5">
        <Link href={changePath(place.cluster, place.draft, 'compatibility')} prefetch={false}>
          Decide in {stepText('compatibility').name}
        </Link>
      </p>
    </div>
  );
}
