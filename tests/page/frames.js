// What a page costs the visitor's machine: figures to be reported, in milliseconds.

/**
 * The mean cost of a frame over `frames` frames, in the time of the page's own thread: `script` is
 * what its code takes, `task` that and layout, style and painting. `act` is called in the page before each
 * frame, and may be left out where the page moves by itself. `groups` is how much is drawn.
 */
export async function costOfFrames(page, frames, act = () => {}) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await spent(devtools);
  await page.evaluate(`new Promise((done) => {
    const act = ${act};
    let left = ${frames};
    const next = () => { if (left-- > 0) { act(left); requestAnimationFrame(next); } else done(); };
    requestAnimationFrame(next);
  })`);
  const after = await spent(devtools);
  await devtools.detach();
  const mean = (name) => ((after[name] - before[name]) * 1000) / frames;
  return { script: mean('ScriptDuration'), task: mean('TaskDuration'), groups: await page.locator('svg g').count() };
}

async function spent(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** To be called before the page is opened: a cold cache, and a line of 10 Mbit/s and 40 ms. */
export async function slowLine(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false, latency: 40, downloadThroughput: 10_000_000 / 8, uploadThroughput: 10_000_000 / 8,
  });
}

/** When the first thing was drawn, after the visitor asked for the page. */
export async function firstPicture(page) {
  // What is in the document may not be drawn yet.
  const drawn = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  return drawn.jsonValue();
}
