import { expect, test } from 'vitest';
import { tellTab } from '#components/live/tell-tab.ts';
import { theBrowser } from './testing/browser.ts';

/** As the framework does it: a page's title comes after the page, in front of others, and the next page's before the last page is removed. */
test('a tab tells what its page tells, and is called as the next page once that is there', async () => {
  const page = await (await theBrowser()).newPage();
  const titles = await page.evaluate(`(async () => {
    const tell = ${tellTab};
    const seen = [];
    const see = async () => {
      await new Promise((done) => setTimeout(done));
      seen.push(document.title);
    };
    const pageBegins = (title) => {
      const element = Object.assign(document.createElement('title'), { textContent: title });
      document.head.insertBefore(element, document.querySelector('head > title'));
      return element;
    };
    let end = tell('Waiting', 'run');
    await see();
    const run = pageBegins('Run');
    await see();
    end();
    end = tell('Paused', 'warn');
    await see();
    const next = pageBegins('Look through');
    await see();
    end();
    run.remove();
    await see();
    next.textContent = 'Looked through';
    await see();
    return seen;
  })()`);
  await page.close();
  expect(titles).toEqual(['Waiting', 'Waiting', 'Paused', 'Paused', 'Look through', 'Looked through']);
});

/** React's rule for a page that a server made (react-dom, hydrateHoistable): the first title is the page's, unless it is somebody's property. */
test('a page that hydrates its title while the tab tells something keeps it when the tab has told', async () => {
  const page = await (await theBrowser()).newPage();
  const titles = await page.evaluate(`(async () => {
    const tell = ${tellTab};
    document.head.append(Object.assign(document.createElement('title'), { textContent: 'Run' }));
    const end = tell('Waiting', 'run');
    let ofPage = document.getElementsByTagName('title')[0];
    if (ofPage.hasAttribute('itemprop')) {
      ofPage = document.createElement('title');
      document.head.insertBefore(ofPage, document.querySelector('head > title'));
    }
    ofPage.textContent = 'Run';
    await new Promise((done) => setTimeout(done));
    const told = document.title;
    end();
    return { told, after: document.title, isThere: ofPage.isConnected };
  })()`);
  await page.close();
  expect(titles).toEqual({ told: 'Waiting', after: 'Run', isThere: true });
});
