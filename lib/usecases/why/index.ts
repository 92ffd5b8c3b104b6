export { answerWhy, type WhyAnswer, type WhyEnd, type WhyVerdict } from './answer-why.ts';
export { readWhyQuestion, type WhyQuestion } from './question.ts';
