// What a visitor really sees: in the window, and with nothing over it.

/** Fails when a part of what `locator` finds is outside the window, or something lies over its middle. */
export async function isOnScreen(locator, what) {
  const fault = await locator.evaluate((element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return 'is not drawn';
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
      return `is outside: ${[left, top, right, bottom].map(Math.round)} of ${innerWidth} x ${innerHeight}`;
    }
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    // A shape of a picture may be under what takes its clicks.
    const picture = element.closest('svg');
    const isThere = element.contains(there) || (picture?.contains(there) ?? false);
    return isThere ? '' : `is under ${there?.outerHTML.slice(0, 80)}`;
  });
  if (fault) throw new Error(`${what} ${fault}`);
}
