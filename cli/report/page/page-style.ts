/**
 * The style sheet of the page. Colours are variables, so that the same SVG serves light and dark. Blue and orange
 * differ for people who cannot tell red from green. A chart has a wide and a narrow drawing;
 * the width of the screen chooses.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --ink: #1c2430; --quiet: #5d6878; --edge: #d9dee5;
  --good: #1f6f54; --good-soft: #e3f2ec; --warn: #8a5a00; --warn-soft: #fdf1d8;
  --bad: #a1260d; --bad-soft: #fde7e1; --link: #1d5fa8;
  --covered: #5f9bd1; --provisional: #b5d3ee; --empty: #dfe3e8; --quarantined: #9a6fc4;
  --missing-1: #f6c27a; --missing-2: #ec8b3a; --missing-3: #c2410c; --unreachable: #4a5360;
  --line: #1d5fa8; --up: #3d83c4; --down: #d9622b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1a2029; --ink: #e4e8ee; --quiet: #98a3b3; --edge: #323b48;
    --good: #6fd0a8; --good-soft: #16312a; --warn: #f0bd5b; --warn-soft: #382b12;
    --bad: #ff9277; --bad-soft: #41201a; --link: #7fb5ef;
    --covered: #4580b8; --provisional: #2b4a69; --empty: #39424e; --quarantined: #a37fd0;
    --missing-1: #8a6424; --missing-2: #d47a2c; --missing-3: #ff7442; --unreachable: #c3ccd8;
    --line: #7fb5ef; --up: #5b9fdd; --down: #ee7d47;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1000px; padding: 20px 20px 48px; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
h1 { font-size: 15px; font-weight: 600; margin: 0; }
h2 { font-size: 17px; margin: 0 0 8px; }
h3 { font-size: 15px; margin: 16px 0 4px; }
p { margin: 6px 0; }
a { color: var(--link); }
code { font: 13px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.top { color: var(--quiet); margin-bottom: 12px; }
.top p { margin: 0; font-size: 13px; }
.quiet { color: var(--quiet); }
.verdict { font-size: 19px; line-height: 1.4; margin: 0 0 12px; padding: 14px 16px; border-radius: 8px; border-left: 6px solid; }
.verdict.good { background: var(--good-soft); border-color: var(--good); }
.verdict.warn { background: var(--warn-soft); border-color: var(--warn); }
.verdict.bad { background: var(--bad-soft); border-color: var(--bad); }
.good b { color: var(--good); } .warn b { color: var(--warn); } .bad b { color: var(--bad); }
.box { padding: 8px 12px; border-radius: 6px; }
.box.warn { background: var(--warn-soft); } .box.bad { background: var(--bad-soft); }
.next { margin: 0 0 14px; padding-left: 24px; }
.next code { background: var(--card); border: 1px solid var(--edge); border-radius: 4px; padding: 1px 5px; }
.tiles { display: grid; grid-template-columns: repeat(6, 1fr); gap: 8px; list-style: none; margin: 0 0 16px; padding: 0; }
.tile { display: block; height: 100%; padding: 8px 12px; background: var(--card); border: 1px solid var(--edge); border-radius: 8px; color: var(--quiet); font-size: 12px; line-height: 1.3; text-decoration: none; }
.tile b { display: block; font-size: 18px; color: var(--ink); overflow-wrap: normal; }
.tile.warn b { color: var(--warn); } .tile.bad b { color: var(--bad); }
section { background: var(--card); border: 1px solid var(--edge); border-radius: 8px; padding: 14px 16px; margin: 0 0 14px; }
figure { margin: 10px 0; }
figcaption { font-size: 13px; color: var(--quiet); margin-bottom: 2px; }
figcaption b { color: var(--ink); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; list-style: none; margin: 4px 0; padding: 0; font-size: 12px; color: var(--quiet); }
.swatch { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-right: 5px; vertical-align: -1px; }
svg { display: block; max-width: 100%; height: auto; color: var(--quiet); }
svg text, svg tspan { white-space: pre; }
svg.narrow { display: none; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--link); }
table { border-collapse: collapse; font-size: 13px; min-width: 100%; overflow-wrap: normal; }
th, td { text-align: left; padding: 4px 14px 4px 0; border-bottom: 1px solid var(--edge); vertical-align: top; white-space: nowrap; }
th:last-child, td:last-child { padding-right: 2px; }
.failures { margin: 4px 0 12px; padding-left: 18px; font-size: 13px; }
th { font-weight: 600; color: var(--quiet); }
.number { text-align: right; }
.value { display: inline-block; max-width: 320px; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.mark.good { color: var(--good); } .mark.warn { color: var(--warn); font-weight: 600; }
.up { color: var(--up); } .down { color: var(--down); }
.meter { height: 8px; border-radius: 4px; background: var(--empty); overflow: hidden; }
.meter div { height: 100%; background: var(--covered); }
.meter div.warn { background: var(--missing-2); } .meter div.bad { background: var(--missing-3); }
details { margin-top: 8px; }
summary { cursor: pointer; color: var(--link); font-size: 13px; }
@media (max-width: 700px) {
  body { padding: 12px 10px 32px; }
  .tiles { grid-template-columns: repeat(2, 1fr); }
  .verdict { font-size: 17px; padding: 12px; }
  section { padding: 12px 10px; }
  table { font-size: 12px; }
  th, td { padding-right: 8px; }
  svg.wide { display: none; }
  svg.narrow { display: block; }
}
@media print { details > * { display: block; } body { max-width: none; } section { break-inside: avoid; } }
`
