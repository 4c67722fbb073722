/** The look of the results page. */
export const pageStyle = `
:root{color-scheme:dark;--back:#0d1117;--panel:#151b23;--line:#2a323d;--text:#e6edf3;--soft:#9aa7b5;--good:#57d38c;--bad:#ff6b6b;--aim:#f2cc60}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 ui-sans-serif,system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1440px;margin:0 auto;padding:32px 24px 48px}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:8px 20px;border-bottom:1px solid var(--line);padding-bottom:20px}
h1{font-size:26px;margin:0;letter-spacing:-.01em}
h2{font-size:17px;margin:40px 0 14px}
.state{margin:0;font-weight:600}.state.good{color:var(--good)}.state.bad{color:var(--bad)}
dl{display:flex;flex-wrap:wrap;gap:6px 28px;margin:0;width:100%}
dl div{display:flex;gap:8px}dt{color:var(--soft)}dd{margin:0}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:12px;margin-top:24px}
article{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:14px 16px;border-top:3px solid var(--line)}
article.good{border-top-color:var(--good)}article.bad{border-top-color:var(--bad)}
article h3{font-size:13px;font-weight:500;color:var(--soft);margin:0;min-height:20px}
article p{margin:2px 0 0}article b{font-size:28px;font-weight:650;letter-spacing:-.02em}
article small{color:var(--soft);font-size:13px}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),1fr));gap:16px;align-items:start}
figure{margin:0;background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:16px 16px 10px;min-width:0}
figcaption{font-weight:600}
.legend{display:flex;flex-wrap:wrap;gap:2px 18px;color:var(--soft);font-size:13px;margin:4px 0 8px}
.legend i{display:inline-block;width:20px;margin-right:7px;vertical-align:4px}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--soft);font-size:13px}
.grid{stroke:var(--line);stroke-width:1}
.limit{stroke:var(--aim);stroke-width:1.5;stroke-dasharray:3 4}
svg .limit-text{fill:var(--aim)}
svg .bar-value,svg .limit-text{paint-order:stroke;stroke:var(--panel);stroke-width:4px;stroke-linejoin:round}svg .bar-value{fill:var(--text);font-weight:600;font-size:14px}svg .bar-name{fill:var(--text);font-size:14px}
.dot{fill:transparent}.dot:hover{fill:#fff;fill-opacity:.3}
table{border-collapse:collapse;width:100%;max-width:900px}
th,td{text-align:right;padding:7px 12px;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:500}td:first-child,th:first-child{text-align:left;padding-left:0}td:nth-child(3){text-align:left;padding-left:0;color:var(--soft)}
td:nth-child(2){font-weight:650}tr.good td:nth-child(2){color:var(--good)}tr.bad td:nth-child(2){color:var(--bad)}
.doubts{border:1px solid var(--bad);border-radius:6px;padding:4px 20px 8px;margin-top:24px}.doubts h2{margin:12px 0 4px;color:var(--bad)}.doubts ul{margin:4px 0;padding-left:20px}
footer{color:var(--soft);margin-top:32px;max-width:75ch}
`

/** One colour per thing measured, the same in every chart. */
export const color = {
  ...{ push: '#4cc9f0', rest: '#f4a259', bare: '#8d99ae', keyed: '#b392f0', postgres: '#7fb069' },
  ...{ writers: '#4f7a45', redis: '#e06c75' },
}
