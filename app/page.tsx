import { goals } from '#lib/spec/choices.ts';
export default function Page() {
  return <main>{goals.join(' ')}</main>;
}
