// The screens on which the page is looked at.
export const DESK = { name: 'desk', viewport: { width: 1280, height: 800 } };
export const PHONE = { name: 'phone', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const SCREENS = [DESK, PHONE];

/** The colour schemes that a system can ask for. */
export const SCHEMES = ['light', 'dark'];
