/** What Playwright turns off in Chromium. Chromium takes only the last `--disable-features`, so a list of ours has to repeat it. */
export const disabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/**
 * The list below the address bar. Chromium draws it with web pages of its own, which each window loads, headless too: 0.4 s of the processor for every
 * page that a test opens (Chromium 156).
 */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup'];

/** An argument for Chromium: parts that no test needs. */
export const disableFeatures = `--disable-features=${[...disabledByPlaywright, ...addressBar].join(',')}`;
