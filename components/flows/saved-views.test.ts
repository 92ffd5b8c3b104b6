import { expect, test } from 'vitest';
import { readViews, withView } from './saved-views.ts';

const denied = { name: 'denied', query: 'verdict:denied' };

test.each([
  [null, []],
  ['{', []],
  ['{"name": "a"}', []],
  [JSON.stringify([denied, { name: 7, query: '' }, null, { name: '', query: 'x' }]), [denied]],
])('remembered views %s are %j', (text, views) => expect(readViews(text)).toEqual(views));

test('a view takes the place of the one with its name, and they stand in the order of names', () => {
  const views = withView([denied, { name: 'scan', query: 'from:debug' }], {
    name: ' denied ',
    query: ' staged:denied ',
  });
  expect(views).toEqual([
    { name: 'denied', query: 'staged:denied' },
    { name: 'scan', query: 'from:debug' },
  ]);
  expect(withView(views, { name: 'a', query: 'x' }).map(({ name }) => name)).toEqual(['a', 'denied', 'scan']);
});
