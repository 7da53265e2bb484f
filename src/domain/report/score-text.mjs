/**
 * Derives the grade of a score, and formats both as text, with a range if something is unknown. The file is
 * plain JavaScript without imports, so that the page, the terminal, annotations, Markdown and the MCP summary
 * use the same words.
 *
 * @import { Grade, Report } from './report.ts'
 */

/** The lowest score of each grade, best first. @type {Readonly<Record<Grade, number>>} */
export const GRADES = { A: 90, B: 75, C: 60, D: 40, F: 0 };

const grades = /** @type {[Grade, number][]} */ (Object.entries(GRADES));

/** Returns the grade of a score. @param {number} score @returns {Grade} */
export const gradeOf = (score) => grades.find(([, lowest]) => score >= lowest)?.[0] ?? 'F';

/** @typedef {Pick<Report, 'score' | 'grade' | 'score_breakdown'>} Scored */

/**
 * Returns the score that would remain if every unknown turned out as badly as possible. @param {Scored}
 * report
 */
export const lowestScore = ({ score, score_breakdown }) =>
  Math.min(score, score_breakdown?.unknown?.lowest_score ?? score);

/**
 * @typedef {object} ScoreText
 * @property {number} lowest The lowest possible score.
 * @property {boolean} isOpen Whether something unknown could lower the score.
 * @property {string} score `87`, or `0 to 66`.
 * @property {string} grade `B`, or `F to C`.
 * @property {string} sentence `0 to 66 of 100, grade F to C`.
 */

/**
 * Returns a score and its grade in words, which every output format uses.
 *
 * @param {Scored} report
 * @returns {ScoreText}
 */
export function scoreText(report) {
  const lowest = lowestScore(report);
  const isOpen = lowest < report.score;
  const score = isOpen ? `${lowest} to ${report.score}` : String(report.score);
  const worst = gradeOf(lowest);
  const grade = isOpen && worst !== report.grade ? `${worst} to ${report.grade}` : report.grade;
  return { lowest, isOpen, score, grade, sentence: `${score} of 100, grade ${grade}` };
}
