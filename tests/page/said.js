// What the page says at the step that it stands on. Yew draws in a later turn: first a frame must have passed.

const drawn = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
}));

export async function headline(page) {
  await drawn(page);
  return page.getByRole('heading', { level: 1 }).innerText();
}

export async function step(page) {
  await drawn(page);
  return Number(/step (\d+) of/.exec(await page.locator('.caption').innerText())[1]);
}
