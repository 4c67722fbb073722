import { strToU8, zipSync } from 'fflate'

type Parts = Record<string, string | Uint8Array>

const NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The sheet's XML around its rows: `<row r="1"><c r="A1"><v>1</v></c></row>`. */
export const sheetXml = (rows: string) => `${HEAD}<worksheet ${NAMESPACE}><sheetData>${rows}</sheetData></worksheet>`

const styles = `${HEAD}<styleSheet ${NAMESPACE}>
<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="165" formatCode="0.00"/></numFmts>
<cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/>
<xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="20" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** The parts of an .xlsx workbook; styles 1 to 4 are a day, a moment, two decimals and a time of day. */
export function workbookParts(sheets: Readonly<Record<string, string>>, sharedStrings: readonly string[] = []): Parts {
  const names = Object.keys(sheets)
  const list = names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const relations = [
    ...names.map((_, index) => relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
    relation('rIdS', 'styles', 'styles.xml'),
    relation('rIdT', 'sharedStrings', 'sharedStrings.xml'),
  ]
  return {
    'xl/workbook.xml': `${HEAD}<workbook ${NAMESPACE} xmlns:r="${OFFICE}"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`,
    'xl/styles.xml': styles,
    'xl/sharedStrings.xml': `${HEAD}<sst ${NAMESPACE}>${sharedStrings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(names.map((name, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheets[name] ?? ''])),
  }
}

export const zipped = (parts: Parts, level: 0 | 9 = 9): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
      ),
      { level },
    ),
  )

/** A workbook of one sheet with these rows. */
export const workbook = (rows: string, sharedStrings?: readonly string[]) =>
  zipped(workbookParts({ Sheet1: sheetXml(rows) }, sharedStrings))
