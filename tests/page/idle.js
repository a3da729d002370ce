// Whether a page that waits for its visitor really does nothing.

/** To be called before the page is opened: from then on, what wakes it up is counted. */
export async function countingWakeups(page) {
  await page.addInitScript(() => {
    globalThis.wakeups = [];
    for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback']) {
      const real = globalThis[name];
      globalThis[name] = (act, ...rest) => {
        globalThis.wakeups.push(`${name} was called`);
        return real((...given) => {
          globalThis.wakeups.push(`${name} fired`);
          return typeof act === 'function' ? act(...given) : globalThis.eval(act);
        }, ...rest);
      };
    }
  });
}

/** Fails when anything wakes the page, is drawn without end, or works beside it, in so many milliseconds of waiting. */
export async function staysIdle(page, wait = 1500) {
  await page.evaluate(() => { globalThis.wakeups = []; });
  await page.waitForTimeout(wait);
  const found = await page.evaluate(() => [
    ...globalThis.wakeups,
    ...document.getAnimations().filter(({ playState }) => playState === 'running').map(() => 'an animation runs'),
  ]);
  found.push(...page.workers().map((worker) => `a worker is there: ${worker.url()}`));
  if (found.length > 0) throw new Error(`the page is not idle:\n${counted(found)}`);
}

function counted(found) {
  return [...new Set(found)].map((what) => `  ${found.filter((other) => other === what).length} x ${what}`).join('\n');
}
